"""What the table can know of hidden cards; the rules tell of each card that moves.

`memory` is what the rules call; `ways` and `doubts` follow what is unsure, `traces` what one player
alone has seen; `world_plan` is the table from which worlds are dealt.
"""
