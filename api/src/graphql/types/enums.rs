//! Closed lists of the schema, each a mirror of the domain's own. Must not have values of its own, or leave
//! one out: the conversions would not compile.

use async_graphql::Enum;
use yibu_domain::games::siguo::{battle, piece, rules, seat};
use yibu_domain::matches::{events, marks, view};
use yibu_domain::reminders;
use yibu_infrastructure::{accounts, mail};

macro_rules! mirrors {
    ($($(#[$doc:meta])* $name:ident as $graphql:literal = $remote:literal { $($(#[$value_doc:meta])* $value:ident),* $(,)? })*) => {
        $($(#[$doc])*
        #[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
        #[graphql(name = $graphql, remote = $remote)]
        pub enum $name { $($(#[$value_doc])* $value),* })*
    };
}

mirrors! {
    /// One of the four seats of the board.
    Seat as "Seat" = "seat::Seat" {
        /// South (南).
        S,
        /// East (东).
        E,
        /// North (北).
        N,
        /// West (西).
        W,
    }
    /// One of the two sides.
    Side as "Side" = "seat::Side" {
        /// South and North (赤方).
        Red,
        /// East and West (蓝方).
        Blue,
    }
    /// A colour to mark pieces with. It means what the viewer wishes.
    MarkColour as "MarkColour" = "marks::MarkColour" {
        /// Violet (紫).
        Violet,
        /// Red (红).
        Red,
        /// Blue (蓝).
        Blue,
        /// Green (绿).
        Green,
        /// Amber (黄).
        Amber,
    }
    /// What a piece is.
    Piece as "Piece" = "piece::Piece" {
        /// 司令: the strongest; its fall shows the seat's flag to all.
        Commander,
        /// 军长.
        General,
        /// 师长.
        MajorGeneral,
        /// 旅长.
        Brigadier,
        /// 团长.
        Colonel,
        /// 营长.
        Major,
        /// 连长.
        Captain,
        /// 排长: the weakest of the ranked ones but the engineer.
        Lieutenant,
        /// 工兵: flies on rails, clears mines.
        Engineer,
        /// 炸弹: both go, whatever it meets.
        Bomb,
        /// 地雷: never moves.
        Mine,
        /// 军旗: never moves; its loss ends its seat.
        Flag,
    }
    /// Where a match stands in its life.
    Phase as "Phase" = "view::Phase" {
        /// Seats fill and arrange their formations (布阵).
        Assembling,
        /// Clocks run.
        Playing,
        /// Settled.
        Ended,
    }
    /// Which clock runs.
    TurnKind as "TurnKind" = "events::TurnKind" {
        /// A normal turn.
        Normal,
        /// The first move after a formal takeover.
        TakeoverFirst,
        /// Nobody sits there: the takeover wait.
        Vacant,
    }
    /// How a person came to a seat.
    Joined as "Joined" = "events::Joined" {
        /// Before the start.
        Full,
        /// By a formal takeover (正式接手).
        Takeover,
    }
    /// Which of two pieces that met stays on the board.
    BattleOutcome as "BattleOutcome" = "battle::Outcome" {
        /// The moving one stays.
        Attacker,
        /// The one that was met stays.
        Defender,
        /// Neither stays.
        Both,
        /// There was none to meet.
        None,
    }
    /// Why a seat fell.
    EliminationCause as "EliminationCause" = "rules::Cause" {
        /// Its flag was captured.
        FlagCaptured,
        /// Its person surrendered.
        Surrender,
        /// It had no legal move left.
        NoMoves,
    }
    /// Why an open draw offer ended without a draw.
    LapseReason as "DrawLapseReason" = "events::LapseReason" {
        /// Somebody declined.
        Declined,
        /// The offering seat's next turn came.
        NextTurn,
        /// No opponent is left to vote.
        NoOpponent,
        /// The offering person is gone or eliminated.
        OffererGone,
    }
    /// How a side won.
    WinBy as "WinBy" = "events::WinBy" {
        /// Both seats of the other side are eliminated.
        Board,
        /// Nobody is left in the other side's seats.
        SideGone,
        /// The other side surrendered as a team.
        TeamSurrender,
        /// All are stuck, and the rules of this table give the win to the other side.
        BothStuck,
    }
    /// Why a match has no result.
    NoResultBy as "NoResultBy" = "events::NoResultBy" {
        /// No active seat can move.
        BothStuck,
        /// Nobody took the vacant seat over in time.
        WaitExpired,
        /// An administrator ended a broken match.
        Voided,
    }
    /// How a draw came about.
    DrawBy as "DrawBy" = "events::DrawBy" {
        /// Everybody who still plays agreed.
        Agreed,
        /// Too many moves without a loss; not in formal matches.
        NoLoss,
    }
    /// What a match was for one person.
    MatchResult as "MatchResult" = "events::MatchResult" {
        /// Won.
        Win,
        /// Lost.
        Loss,
        /// Drawn.
        Draw,
        /// Without result.
        NoResult,
    }
    /// A language of mails.
    Locale as "Locale" = "mail::Locale" {
        /// Simplified Chinese (简体中文).
        ZhHans,
        /// Traditional Chinese (繁體中文).
        ZhHant,
        /// English.
        En,
    }
    /// Which turn mails a person wants. Codes and security mails do not ask.
    ReminderMode as "ReminderMode" = "reminders::Mode" {
        /// Waiting turns, last hours and time-outs.
        Smart,
        /// Last hours and time-outs only.
        DeadlineOnly,
        /// None at all.
        Off,
    }
    /// What a turn mail is about above all.
    ReminderKind as "ReminderKind" = "reminders::MailKind" {
        /// Turns wait.
        Normal,
        /// A turn is in its last hour.
        Deadline,
        /// A turn ran out of time.
        TimedOut,
    }
    /// What a notice says.
    NoticeKind as "NoticeKind" = "accounts::reminders::NoticeKind" {
        /// The viewer's turn begins.
        YourTurn,
        /// The viewer's turn, four hours left.
        #[graphql(name = "TURN_4H")]
        Turn4h,
        /// The viewer's turn, one hour left.
        #[graphql(name = "TURN_1H")]
        Turn1h,
        /// The viewer's first move after a takeover, one hour left.
        #[graphql(name = "TAKEOVER_FIRST_1H")]
        TakeoverFirst1h,
        /// A vacant seat waits for somebody, four hours left.
        #[graphql(name = "TAKEOVER_WAIT_4H")]
        TakeoverWait4h,
        /// A vacant seat waits for somebody, one hour left.
        #[graphql(name = "TAKEOVER_WAIT_1H")]
        TakeoverWait1h,
        /// A draw offer waits for the viewer's vote.
        DrawVote,
        /// The team-mate's proposal to surrender waits for the viewer's answer.
        TeamSurrenderVote,
        /// The table is full, and the viewer is not ready yet.
        TableFull,
        /// The viewer is still not ready, and the seat is released within a day.
        ReleaseSoon,
        /// The match started.
        TableStarted,
        /// The match ended.
        MatchEnded,
        /// Another seat lost its person.
        SeatLeft,
        /// Somebody took another seat over.
        SeatTakenOver,
        /// There is nothing left to take over: somebody else was first, or the match ended.
        CandidacyEnded,
        /// An outage of the server moved a deadline.
        DeadlineMoved,
        /// The viewer's own time ran out.
        TimedOut,
        /// The viewer left.
        Left,
        /// The record of a match expires within a day.
        ReplayExpires,
        /// The viewer was not ready in time, and the seat is free again.
        Released,
    }
}

/// What the viewer is to a match.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewerRole {
    /// Sits at the table, active or eliminated.
    Seated,
    /// May take a vacant seat over; sees the public board alone.
    Candidate,
    /// Left or timed out, or was a candidate until the wait ran out; sees the public board alone.
    Departed,
}

/// How a match ended.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutcomeKind {
    /// A side won.
    Win,
    /// A draw was agreed.
    Draw,
    /// There is no result.
    NoResult,
}

/// What an action was.
#[derive(Enum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// The table was opened.
    Opened,
    /// Somebody took a seat before the start; who and where stays hidden until then.
    SeatTaken,
    /// A seat was freed before the start.
    SeatReleased,
    /// One more seat is ready.
    Ready,
    /// One seat is not ready after all.
    ReadyTakenBack,
    /// The match started.
    Started,
    /// A seat's clock started.
    TurnStarted,
    /// A piece moved.
    Moved,
    /// A turn was passed on.
    Skipped,
    /// A draw was offered.
    DrawOffered,
    /// A draw offer was answered.
    DrawVoted,
    /// A draw offer ended without a draw.
    DrawLapsed,
    /// A draw was agreed.
    DrawAgreed,
    /// A person gave up the own seat.
    Surrendered,
    /// A side gave up.
    TeamSurrenderConfirmed,
    /// A person left after the start.
    Left,
    /// A person's time ran out.
    TimedOut,
    /// A seat lost its person.
    SeatVacated,
    /// The takeover wait began.
    TakeoverWaitOpened,
    /// Nobody took the seat over in time.
    TakeoverWaitExpired,
    /// A new person sits.
    SeatTakenOver,
    /// A seat fell; its pieces left the board.
    SeatEliminated,
    /// An outage of the server moved the open deadline.
    DeadlineMoved,
    /// An outage of the server moved the release of seats that are not ready.
    ReleaseMoved,
    /// An administrator ended the match.
    Voided,
    /// The match ended.
    Ended,
    /// The players' retention of the finished match is over.
    RecordExpired,
    /// A test or a puzzle put a position in place.
    PositionPlaced,
}
