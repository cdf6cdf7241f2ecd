"""What pictures of the table are made of: a canvas, cards, the table top, words."""
