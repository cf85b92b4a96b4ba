"""Codes of languages that are written for others, on pages and in names of wikis."""

from typing import Final

# IANA's registry of language subtags: those of two letters with a preferred value.
REPLACED: Final = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"}

# Languages with the countries whose codes pages declare for them, where no language has that code (ISO 639-1,
# 3166-1): those that nearly all write there. "sp" is no country's.
_COUNTRIES = """
    ar eg iq jo ly ma qa sy ye; be by; bn bd; cs cz; da dk; de at; dv mv; el gr; en au gb jm nz us; es cl do
    ec gt hn mx ni pe py sp uy; fa ir; fr ci mc; he il; ja jp; ka ge; kk kz; km kh; ko kp; my mm; ne np; pt
    ao mz; ro md; si lk; sq al xk; sr me rs; tg tj; tk tm; uk ua; ur pk; vi vn; zh cn hk
"""
OF_COUNTRIES: Final = {
    country: language
    for language, *countries in map(str.split, _COUNTRIES.split(";"))
    for country in countries
}

# ISO 639's codes of three letters for languages that have one of two, and for what these consist of, by the
# aliases of CLDR.
_THREE_LETTERS = """
    aar:aa abk:ab adp:dz afr:af aka:ak alb:sq als:sq amh:am ara:ar arb:ar arg:an arm:hy asm:as ava:av ave:ae
    aym:ay ayr:ay aze:az azj:az bak:ba bam:bm baq:eu bel:be ben:bn bis:bi bod:bo bos:bs bre:br bul:bg bur:my
    cat:ca ces:cs cha:ch che:ce chi:zh chu:cu chv:cv cls:sa cmn:zh cor:kw cos:co cre:cr cwd:cr cym:cy cze:cs
    dan:da deu:de div:dv drh:mn dut:nl dzo:dz ekk:et ell:el eng:en epo:eo esk:ik est:et eus:eu ewe:ee fao:fo
    fas:fa fij:fj fin:fi fra:fr fre:fr fry:fy fuc:ff ful:ff gaz:om geo:ka ger:de gla:gd gle:ga glg:gl glv:gv
    gre:el grn:gn gug:gn guj:gu hat:ht hau:ha heb:he her:hz hin:hi hmo:ho hrv:hr hun:hu hye:hy ibo:ig ice:is
    ido:io iii:ii ike:iu iku:iu ile:ie ina:ia ind:id ipk:ik isl:is ita:it jav:jv jpn:ja kal:kl kan:kn kas:ks
    kat:ka kau:kr kaz:kk khk:mn khm:km kik:ki kin:rw kir:ky kmr:ku knc:kr kng:kg kom:kv kon:kg kor:ko kpv:kv
    kua:kj kur:ku lao:lo lat:la lav:lv lim:li lin:ln lit:lt ltz:lb lub:lu lug:lg lvs:lv mac:mk mah:mh mal:ml
    mao:mi mar:mr may:ms mkd:mk mlg:mg mlt:mt mol:ro mon:mn mri:mi msa:ms mya:my nau:na nav:nv nbl:nr nde:nd
    ndo:ng nep:ne nld:nl nno:nn nob:nb nor:no npi:ne nya:ny oci:oc ojg:oj oji:oj ori:or orm:om ory:or oss:os
    pan:pa pbu:ps per:fa pes:fa pli:pi plt:mg pol:pl por:pt prp:gu pus:ps que:qu quz:qu roh:rm ron:ro rum:ro
    run:rn rus:ru sag:sg san:sa scc:sr scr:hr sin:si slk:sk slo:sk slv:sl sme:se smo:sm sna:sn snd:sd som:so
    sot:st spa:es sqi:sq src:sc srd:sc srp:sr ssw:ss sun:su swa:sw swe:sv swh:sw tah:ty tam:ta tat:tt tel:te
    tgk:tg tha:th tib:bo tir:ti ton:to tsn:tn tso:ts tuk:tk tur:tr twi:ak uig:ug ukr:uk urd:ur uzb:uz uzn:uz
    ven:ve vie:vi vol:vo wel:cy wln:wa wol:wo xho:xh ydd:yi yid:yi yor:yo zha:za zho:zh zsm:ms zul:zu zyb:za
"""
OF_THREE_LETTERS: Final = dict(pair.split(":") for pair in _THREE_LETTERS.split())
