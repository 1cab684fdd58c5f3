"""The words in which rounds are told: English and Chinese."""

from __future__ import annotations

from typing import Final

LANGUAGES: Final = ("en", "zh")

SENTENCES: Final[dict[str, tuple[str, str]]] = {
    "seat": ("seat {}", "{}号位"),
    "seats": ("seats {}", "{}号位"),
    "table": ("the table", "桌面"),
    "and": (" and ", "、"),
    "list": (", ", "、"),
    "comma": (", ", "，"),
    "headline": ("{id}: {rule}, {dealer} deals", "{id}：{rule}，{dealer}坐庄"),
    "yes": ("true", "是"),
    "no": ("false", "否"),
    "refused": ("not settled", "未结算"),
    "draws_win": ("{who} wins on {tile}, self-drawn{how}", "{who}自摸{tile}{how}"),
    "takes_win": ("{who} wins on {tile} from {source}{how}", "{who}胡{tile}，{source}点{how}"),
    "robs_win": ("{who} robs {tile} from the kong of {source}{how}", "{who}抢杠胡{tile}，{source}被抢{how}"),
    "given_win": ("{who} wins without a hand{how}", "{who}直接胡牌{how}"),
    "dropped": ("{who} claims {tile} too, but another goes before", "{who}也要胡{tile}，被截"),
    "again": (" (its win number {})", "（第{}次胡）"),
    "worth": ("{fans}; total {total}", "{fans}；合计 {total}"),
    "worth_plain": ("no fan; total {total}", "无番；合计 {total}"),
    "kong": ("{who} makes {article} {kind} of {tile}{source}{late}", "{who}{kind}{tile}{source}{late}"),
    "kong_source": (" from {}", "，{}放杠"),
    "kong_late": (", later than the draw of its tile", "（过手）"),
    "kong_robbed": ("it is robbed and brings nothing", "被抢，不算"),
    "kong_nothing": ("it brings nothing", "不收钱"),
    "other_event": ("{who}{type}{tile}", "{who}{type}{tile}"),
    "pays": ("{payer} pays {points} to {payee}: {why}", "{payer}付{payee} {points}：{why}"),
    "pay_each": ("{payer} pay {points} each to {payee}: {why}", "{payer}各付{payee} {points}：{why}"),
    "back": (
        "{payer} gives {payee} back {points} paid for {what}: {why}",
        "{payer}退还{payee} {points}（{what}）：{why}",
    ),
    "back_each": (
        "{payer} gives {payee} back {points} each paid for {what}: {why}",
        "{payer}退还{payee}各 {points}（{what}）：{why}",
    ),
    "on": (
        "{payer} passes on to {payee} {points} received for {what}: {why}",
        "{payer}把{points}（{what}所得）转给{payee}：{why}",
    ),
    "what": ("the {kind} of {tile} (step {step})", "第{step}步{kind}{tile}"),
    "what_step": ("step {step}", "第{step}步"),
    "short": ("{payer} cannot pay {payee} another {points}: {why}", "{payer}不足，欠{payee} {points}：{why}"),
    "end": ("At the end", "终局"),
    "standing": ("{who}: {status}", "{who}：{status}"),
    "waits": (", waits {}", "，听 {}"),
    "wait": ("{tile} worth {points}", "{tile}（{points}）"),
    "nobody": ("Nobody wins.", "流局，无人胡牌。"),
    "account": ("{who} {sum}{parts}", "{who} {sum}{parts}"),
    "next": ("{who} deals next{streak}", "下局{who}坐庄{streak}"),
    "next_streak": (", streak {}", "，连庄{}"),
}

KONGS: Final[dict[str, tuple[str, str]]] = {
    "kong": ("kong", "直杠"),
    "added_kong": ("added kong", "补杠"),
    "concealed_kong": ("concealed kong", "暗杠"),
    "mixed_kong": ("special kong", "特杠"),
    "red": ("red kong", "红中杠"),
    "wild": ("wild kong", "赖子杠"),
    "pi": ("pi kong", "皮子杠"),
}

EVENTS: Final[dict[str, tuple[str, str]]] = {
    "exhaustive_draw": ("the wall is exhausted", "牌墙摸完"),
    "abortive_draw": ("the round is broken off", "中途流局"),
    "discard": (" discards ", "打出"),
    "give_up": (" gives up", "认输"),
    "false_win": (" wins falsely", "诈胡"),
    "follow_dealer": ("all follow the dealer", "跟庄"),
    "opening": (" shows an opening hand", "起手胡"),
    "wild_discard": (" discards the wild ", "打出财神"),
    "flower_win": (" wins by flowers", "花胡"),
    "nagashi": (" has discarded orphans only", "流局满贯"),
}

HOW: Final[dict[str, tuple[str, str]]] = {
    "kong_draw": ("on a kong's replacement", "杠上花"),
    "kong_discard": ("on the discard after a kong", "杠上炮"),
    "rob_kong": ("robbing a kong", "抢杠"),
    "last_tile": ("on the last tile", "海底"),
    "first_turn": ("in the first turn", "第一巡"),
    "last_of_kind": ("on the last of its kind", "绝张"),
    "flower_draw": ("on a flower's replacement", "花上开花"),
    "kong_on_kong": ("kong upon kong", "连杠"),
    "rob_gold": ("on the wild tile as it is turned up", "抢金"),
}

WHY: Final[dict[str, tuple[str, str]]] = {
    "win": ("the win", "胡牌"),
    "win_liable": ("the win, liable for another's share", "胡牌，包赔"),
    "kong": ("the kong", "直杠"),
    "added_kong": ("the added kong", "补杠"),
    "concealed_kong": ("the concealed kong", "暗杠"),
    "mixed_kong": ("the special kong", "特杠"),
    "call_transfer": ("kong money passed on", "呼叫转移"),
    "call_refund": ("kong money sent back", "杠上炮退杠钱"),
    "tax_refund": ("kong money handed back", "退税"),
    "pig": ("the check for the missing suit", "查花猪"),
    "not_ready": ("the ready check", "查大叫"),
    "birds": ("birds", "中鸟"),
    "streak": ("the streak", "连庄"),
    "follow_dealer": ("all followed the dealer", "跟庄"),
    "gods": ("wild tiles held", "财神结算"),
    "opening": ("the opening hand", "起手胡"),
    "honba": ("honba", "本场"),
    "deposits": ("riichi sticks", "供托"),
    "false_win": ("a false win", "诈胡"),
    "flower_win": ("the win by flowers", "花胡"),
    "flower_bonus": ("flowers", "花"),
    "dealer": ("the dealer", "庄家"),
    "piao": ("the stakes", "漂"),
}

REASONS: Final[dict[str, tuple[str, str]]] = {
    "call_transfer": ("its discard after the kong was won", "呼叫转移，杠后打出的牌被胡"),
    "call_refund": ("its discard after the kong was won", "杠后打出的牌被胡"),
    "tax_refund": ("it was not ready when the wall was exhausted", "退税，终局未听牌"),
    "pig": ("it holds three suits or its missing suit", "查花猪"),
    "not_ready": ("it was not ready when the wall was exhausted", "查大叫，终局未听牌"),
}
"""Why a payment was made, where that takes more words than its name (`WHY`)."""

SWITCHES: Final[dict[str, tuple[str, str]]] = {
    "preset": ("preset", "预设"),
    "profile": ("profile", "预设"),
    "variant": ("variant", "预设"),
}
"""The switches that every rule set has; the titles of others are the rule set's."""

STATUS: Final[dict[str, tuple[str, str]]] = {
    "won": ("has won", "已胡"),
    "gave_up": ("has given up", "已认输"),
    "pig": ("holds three suits or its missing suit", "花猪"),
    "not_ready": ("not ready", "未听牌"),
    "ready": ("ready", "听牌"),
}
