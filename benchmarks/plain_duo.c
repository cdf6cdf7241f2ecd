/* UNO Duo between two players who answer each question uniformly at random, in plain C.

   The yardstick of benchmarks/speed.py: what a program costs that plays these rounds and can do
   nothing else. It keeps no record of what players know, and one cannot step, watch or change it
   from outside. Ids such as D9 are those of docs/rules.md. benchmarks/plain_c.py builds it.

   plain_duo SEED ROUNDS    plays, and prints one line of JSON. */

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

/* A kind of card is 16 * color + symbol. The two wilds stand behind the first color. */
enum { SKIP = 10, REVERSE = 11, DRAW_TWO = 12, WILD = 13, WILD_DRAW = 14, NO_CARD = -1 };
enum { COLORS = 4, DECK = 112, ROOM = 128, HAND = 7, MAX_TURNS = 10000 };
enum { OVER = -1, NOT_LAID = -2 }; /* instead of the player who moves next */
enum { DRAFT, CHOOSE_COLOR, TURN, DRAWN, VOLLEY, CHALLENGE, UNO, CATCH, QUESTIONS };
enum { ANSWERS = QUESTIONS, LAID, CARDS_DRAWN, LAST_DRAW, DUMPS, OPEN_DUMPS, GUILTY };
enum { POINTS = GUILTY + 1, BLOCKED, CAPPED, FIRST_WON, DECISIONS, FIGURES };

static const char *const figure_names[FIGURES] = {
    "draft", "choose_color", "turn", "drawn", "volley", "challenge", "uno", "catch",
    "legal answers", "cards laid", "cards drawn", "drawn for the last card", "dumps", "open dumps",
    "guilty", "points", "blocked", "capped", "first drafter won", "decisions"};

typedef uint64_t Set; /* of kinds, one bit each */

#define BIT(kind) ((Set)1 << (kind))
#define WILDS (BIT(WILD) | BIT(WILD_DRAW))
#define OF_COLOR(color) ((Set)0x1fff << 16 * (color))
#define OF_SYMBOL(symbol) ((Set)0x0001000100010001 << (symbol))

typedef struct {
    Set held[2];           /* the kinds in each hand */
    uint8_t hands[2][64];  /* cards of each kind in each hand */
    int sizes[2];          /* cards in each hand */
    uint8_t cards[ROOM];   /* a ring: the draw pile, and behind it the discards, oldest first */
    unsigned next, limit;  /* the next card to be drawn, the end of the draw pile */
    unsigned end;          /* the end of the discards */
    int top, color;        /* the top card, the active color (C1) */
    bool open;             /* whether the top card is an open Reverse (D9) */
    int pending, passes, turns;
    int winner;
    bool blocked, capped;
    uint64_t random;
    uint32_t asked[QUESTIONS], answers; /* questions, and answers that were legal */
    unsigned dumps, open_dumps, guilty, last_draw;
} Round;

/* Random numbers: wyrand, of Wang Yi's wyhash. */
static inline uint64_t next_word(Round *r) {
    r->random += 0xa0761d6478bd642f;
    __uint128_t product = (__uint128_t)r->random * (r->random ^ 0xe7037ed1a0b428db);
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* A number below `bound`; what is unfair about it is less than one in 2^24. */
static inline unsigned below(Round *r, unsigned bound) {
    return (unsigned)((next_word(r) >> 32) * bound >> 32);
}

/* A decision: which of `answers` is given to a question. */
static inline unsigned ask(Round *r, int question, unsigned answers) {
    r->asked[question]++;
    r->answers += answers;
    return below(r, answers);
}

static inline unsigned size(Set set) { return (unsigned)__builtin_popcountll(set); }

/* Member number `n` of a set, from 0. */
static inline int member(Set set, unsigned n) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(BIT(n), set));
#else
    while (n--) set &= set - 1;
    return __builtin_ctzll(set);
#endif
}

static inline bool is_wild(int kind) { return (kind & 15) >= WILD; }

static inline void add_card(Round *r, int player, int kind) {
    r->hands[player][kind]++;
    r->held[player] |= BIT(kind);
    r->sizes[player]++;
}

static inline void discard(Round *r, int kind) { r->cards[r->end++ % ROOM] = (uint8_t)kind; }

static inline int take(Round *r) { return r->cards[r->next++ % ROOM]; }

/* Draws a card into a hand. An empty draw pile is refilled by all discards but the top one; turned
   over, the oldest is drawn first, so they are where they belong already (C11, D7). */
static int draw_card(Round *r, int player) {
    if (r->next == r->limit) {
        if (r->end - r->limit < 2) return NO_CARD;
        r->limit = r->end - 1;
    }
    int kind = take(r);
    add_card(r, player, kind);
    return kind;
}

/* What is not there is forgiven (C11). */
static void draw_cards(Round *r, int player, int count) {
    while (count-- > 0 && draw_card(r, player) != NO_CARD) {
    }
}

/* C1, C7 */
static inline Set playable_kinds(int top, int color) {
    return WILDS | OF_COLOR(color) | (is_wild(top) ? 0 : OF_SYMBOL(top & 15));
}

static inline void put_down(Round *r, int player, int kind) {
    if (--r->hands[player][kind] == 0) r->held[player] &= ~BIT(kind);
    r->sizes[player]--;
    discard(r, kind);
}

static int lay_card(Round *r, int player, int kind, int color);

/* Goes out (C5); the opponent still draws for a draw card (C6). */
static int go_out(Round *r, int player) {
    unsigned before = r->next;
    if (r->top == WILD_DRAW) draw_cards(r, 1 - player, 4);
    if (!is_wild(r->top) && (r->top & 15) == DRAW_TWO) draw_cards(r, 1 - player, r->pending + 2);
    r->last_draw = r->next - before;
    r->winner = player;
    return OVER;
}

/* The opponent of who laid a wild draw takes the cards or challenges (C8 to C10, D10). */
static int challenge(Round *r, int offender, bool guilty) {
    int victim = 1 - offender;
    bool challenged = ask(r, CHALLENGE, 2);
    if (challenged && guilty) {
        r->guilty++;
        draw_cards(r, offender, 4);
        return victim;
    }
    draw_cards(r, victim, challenged ? 6 : 4);
    return offender;
}

/* The opponent of who laid a Draw Two lays another one, or draws what is pending (D8). */
static int volley(Round *r, int player) {
    int victim = 1 - player;
    r->pending += 2;
    Set answers = r->held[victim] & OF_SYMBOL(DRAW_TWO);
    unsigned chosen = ask(r, VOLLEY, size(answers) + 1);
    if (chosen < size(answers)) {
        int kind = member(answers, chosen);
        return lay_card(r, victim, kind, kind >> 4);
    }
    draw_cards(r, victim, r->pending);
    r->pending = 0;
    return player;
}

/* What follows once the cards lie: going out, the UNO call, the effect (C4). Returns who moves.
   `before` is what could be laid before, for a challenge (C8). */
static int complete_laying(Round *r, int player, Set before, bool dumped) {
    if (r->sizes[player] == 0) return go_out(r, player);
    bool guilty = (r->held[player] & before & ~BIT(WILD_DRAW)) != 0;
    if (r->sizes[player] == 1 && ask(r, UNO, 2) && ask(r, CATCH, 2)) draw_cards(r, player, 2);
    if (r->top == WILD_DRAW) return challenge(r, player, guilty);
    switch (r->top & 15) {
        case SKIP:
            return player;
        case DRAW_TWO:
            return volley(r, player);
        case REVERSE:
            r->open = dumped;
    }
    return 1 - player;
}

static int lay_card(Round *r, int player, int kind, int color) {
    Set before = playable_kinds(r->top, r->color);
    put_down(r, player, kind);
    r->top = kind;
    r->color = color;
    r->open = false;
    r->passes = 0;
    return complete_laying(r, player, before, false);
}

/* Lays all cards of a color: an owed Reverse first, then in ascending order, `last` last (D9a). */
static int lay_dump(Round *r, int player, int last) {
    int color = last >> 4;
    Set before = playable_kinds(r->top, r->color);
    bool owed = !r->open || color != r->color;
    r->dumps++;
    r->open_dumps += !owed;
    if (owed) put_down(r, player, 16 * color + REVERSE);
    for (Set kinds = r->held[player] & OF_COLOR(color); kinds; kinds &= kinds - 1) {
        int kind = __builtin_ctzll(kinds);
        while (r->hands[player][kind] > (kind == last)) put_down(r, player, kind);
    }
    put_down(r, player, last);
    r->top = last;
    r->color = color;
    r->open = false;
    r->passes = 0;
    return complete_laying(r, player, before, true);
}

/* The kinds that a dump may end in, if it may begin with `startable` kinds (D9). */
static inline Set dump_ends(const Round *r, int player, Set startable) {
    Set ends = r->open ? r->held[player] & OF_COLOR(r->color) : 0;
    for (Set left = startable & OF_SYMBOL(REVERSE); left; left &= left - 1) {
        int reverse = __builtin_ctzll(left);
        if (r->open && reverse >> 4 == r->color) continue;
        Set others = r->held[player] & OF_COLOR(reverse >> 4);
        ends |= r->hands[player][reverse] == 1 ? others & ~BIT(reverse) : others;
    }
    return ends;
}

/* Asks for a card or a dump to be laid, or for the one other answer: to draw, or to pass (C2, C3).
   Returns who moves next, or NOT_LAID. */
static inline int ask_to_lay(Round *r, int player, int question, Set playable) {
    Set singles = playable & ~WILDS, wilds = playable & WILDS;
    Set dumps = dump_ends(r, player, playable);
    unsigned num_singles = size(singles), num_dumps = size(dumps), num_wilds = COLORS * size(wilds);
    unsigned chosen = ask(r, question, num_singles + num_dumps + num_wilds + 1);
    if (chosen < num_singles) {
        int kind = member(singles, chosen);
        return lay_card(r, player, kind, kind >> 4);
    }
    chosen -= num_singles;
    if (chosen < num_dumps) return lay_dump(r, player, member(dumps, chosen));
    chosen -= num_dumps;
    if (chosen < num_wilds) {
        return lay_card(r, player, member(wilds, chosen / COLORS), (int)(chosen % COLORS));
    }
    return NOT_LAID;
}

/* A turn (C2, C3, C12); returns who moves next. */
static int play_turn(Round *r, int player) {
    Set playable = playable_kinds(r->top, r->color);
    int mover = ask_to_lay(r, player, TURN, r->held[player] & playable);
    if (mover != NOT_LAID) return mover;
    r->open = false;
    int drawn = draw_card(r, player);
    if (drawn == NO_CARD) {
        r->blocked = ++r->passes >= 2;
        return r->blocked ? OVER : 1 - player;
    }
    r->passes = 0;
    if (playable & BIT(drawn)) mover = ask_to_lay(r, player, DRAWN, BIT(drawn));
    return mover != NOT_LAID ? mover : 1 - player;
}

/* Deck, draft, start card (D2, D4 to D6, C13); returns who moves first. */
static int begin_round(Round *r, const uint8_t *deck, int first) {
    uint64_t random = r->random;
    memset(r, 0, sizeof *r);
    r->random = random;
    r->winner = -1;
    memcpy(r->cards, deck, DECK);
    for (unsigned last = DECK - 1; last > 0; last--) {
        unsigned other = below(r, last + 1);
        uint8_t card = r->cards[last];
        r->cards[last] = r->cards[other];
        r->cards[other] = card;
    }
    r->end = DECK;
    for (int pick = 0; pick < 2 * HAND; pick++) {
        int offered = take(r), next = take(r);
        bool rejected = ask(r, DRAFT, 2);
        add_card(r, first ^ (pick & 1), rejected ? next : offered);
        discard(r, rejected ? offered : next);
    }
    r->limit = r->end;
    int starter = 1 - first;
    r->top = take(r);
    discard(r, r->top);
    r->color = is_wild(r->top) ? (int)ask(r, CHOOSE_COLOR, COLORS) : r->top >> 4;
    switch (r->top & 15) {
        case SKIP:
            return first;
        case REVERSE:
            r->open = true;
            return starter;
        case DRAW_TWO:
            draw_cards(r, starter, 2);
            return first;
        case WILD_DRAW:
            draw_cards(r, starter, 4);
            return first;
    }
    return starter;
}

/* D11 */
static int hand_points(const Round *r, int player) {
    static const int values[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 15, 20, 0};
    int points = 0;
    for (Set kinds = r->held[player]; kinds; kinds &= kinds - 1) {
        int kind = __builtin_ctzll(kinds);
        points += r->hands[player][kind] * values[kind & 15];
    }
    return points;
}

/* Plays one round to its end (C5, C12, D12), and writes what it was like. */
static void play_round(Round *r, const uint8_t *deck, int first, double *figures) {
    int mover = begin_round(r, deck, first);
    while (mover != OVER) {
        r->capped = r->turns++ >= MAX_TURNS;
        mover = r->capped ? OVER : play_turn(r, mover);
    }
    figures[DECISIONS] = 0;
    for (int question = 0; question < QUESTIONS; question++) {
        figures[question] = r->asked[question];
        figures[DECISIONS] += r->asked[question];
    }
    figures[ANSWERS] = r->answers;
    figures[LAID] = r->end - DECK - 2 * HAND - 1; /* draft and start card left out */
    figures[CARDS_DRAWN] = r->next - 4 * HAND - 1;
    figures[LAST_DRAW] = r->last_draw;
    figures[DUMPS] = r->dumps;
    figures[OPEN_DUMPS] = r->open_dumps;
    figures[GUILTY] = r->guilty;
    figures[POINTS] = r->capped ? 0 : hand_points(r, 0) + hand_points(r, 1);
    figures[BLOCKED] = r->blocked;
    figures[CAPPED] = r->capped;
    figures[FIRST_WON] = r->winner == first;
}

/* D2 */
static void make_deck(uint8_t *deck) {
    int count = 0;
    for (int color = 0; color < COLORS; color++) {
        for (int symbol = 0; symbol <= DRAW_TWO; symbol++) {
            for (int copy = symbol == 0; copy < 2; copy++) {
                deck[count++] = (uint8_t)(16 * color + symbol);
            }
        }
    }
    for (int copy = 0; copy < 8; copy++) deck[count++] = WILD;
    for (int copy = 0; copy < 4; copy++) deck[count++] = WILD_DRAW;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: plain_duo SEED ROUNDS\n");
        return 2;
    }
    static Round round;
    uint8_t deck[DECK];
    double figures[FIGURES], sums[FIGURES] = {0}, squares[FIGURES] = {0};
    long rounds = atol(arguments[2]);
    round.random = strtoull(arguments[1], NULL, 10);
    round.random = next_word(&round); /* so that near seeds are far apart */
    make_deck(deck);
    clock_t start = clock();
    for (long i = 0; i < rounds; i++) {
        play_round(&round, deck, (int)(i & 1), figures); /* D3 */
        for (int f = 0; f < FIGURES; f++) {
            sums[f] += figures[f];
            squares[f] += figures[f] * figures[f];
        }
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("{\"rounds\": %ld, \"decisions\": %.0f, \"seconds\": %.6f, \"means\": {", rounds,
           sums[DECISIONS], seconds);
    for (int pass = 0; pass < 2; pass++) {
        for (int f = 0; f < FIGURES; f++) {
            double mean = sums[f] / (double)rounds;
            double variance = squares[f] / (double)rounds - mean * mean;
            double figure = pass ? sqrt(fmax(variance, 0) / (double)rounds) : mean;
            printf("%s\"%s\": %.9g", f ? ", " : "", figure_names[f], figure);
        }
        printf(pass ? "}}\n" : "}, \"errors\": {");
    }
    return 0;
}
