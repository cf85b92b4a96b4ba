from transformers import AutoTokenizer

from anchormine.training.tokenizer import train_tokenizer
from tests.training.tiny_inputs import pages


def texts():
    return (page.text for page in pages(40))


def test_same_texts_same_vocabulary(tmp_path):
    first, second = (train_tokenizer(texts, 150, 64) for _ in range(2))
    assert first.get_vocab() == second.get_vocab()
    assert len(first) <= 150
    first.save_pretrained(tmp_path)
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    encoded = loaded("Apple bread", "CEDAR")
    assert loaded.is_fast
    assert loaded.model_max_length == 64
    assert encoded["input_ids"] == first("apple bread", "cedar")["input_ids"]
    assert loaded.decode(encoded["input_ids"]) == "[CLS] apple bread [SEP] cedar [SEP]"


def test_special_pieces_come_first():
    made = train_tokenizer(texts, 150, 64)
    assert made.convert_ids_to_tokens(list(range(5))) == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    assert made.tokenize("ж") == ["[UNK]"]
