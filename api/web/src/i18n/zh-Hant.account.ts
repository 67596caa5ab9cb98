// 設定裡與帳號有關的詞句：暱稱、信箱、密碼、登入、提醒郵件、資料。
import type { ReminderKind, ReminderMode } from '../api/generated.ts';
import type { AccountWords } from './zh-Hans.account.ts';

const account: AccountWords = {
  heading: '帳號',
  since: (when: string) => `註冊於 ${when}`,
  save: '儲存',
  saved: '已儲存',
  nickname: {
    heading: '暱稱',
    left: (n: number) =>
      n ? `任意 365 天內最多改兩次，還可以改 ${n} 次。` : '任意 365 天內最多改兩次，已經用完。',
    again: (when: string) => `${when} 起可以再改。`,
    change: '改暱稱',
  },
  email: {
    heading: '信箱',
    now: (email: string) => `現在是 ${email}`,
    fresh: '新信箱',
    send: '寄驗證碼到新信箱',
    sent: (email: string) => `驗證碼已寄往 ${email}。`,
    change: '換成新信箱',
    done: '信箱已換，其他裝置的登入已結束',
  },
  password: {
    heading: '密碼',
    current: '目前密碼',
    fresh: '新密碼',
    change: '改密碼',
    done: '密碼已改，其他裝置的登入已結束',
  },
  locale: {
    heading: '郵件語言',
    names: { ZH_HANS: '简体中文', ZH_HANT: '繁體中文', EN: 'English' },
  },
  logout: '登出',
  logoutHint: '只結束登入，不退出已入座的棋局。',
  sessions: {
    heading: '登入中的裝置',
    here: '這臺裝置',
    unknown: '未知裝置',
    seen: (when: string) => `最近使用 ${when}`,
    network: (text: string) => `網路 ${text}`,
    end: '結束',
    endOthers: '結束其他所有登入',
    ended: (n: number) => `已結束 ${n} 個登入`,
    alone: '只有這臺裝置登入著。',
  },
  reminders: {
    heading: '走棋郵件',
    modes: {
      SMART: ['智慧提醒', '合併多桌，普通郵件間隔至少 2 小時，每天最多 3 封；臨期再提醒一次。'],
      DEADLINE_ONLY: ['僅臨期', '只在剩餘不到 1 小時時寄一封。'],
      OFF: ['關閉', '不寄走棋郵件。驗證碼與安全郵件照常。'],
    } as Record<ReminderMode, [string, string]>,
    from: '從',
    to: '到',
    window: '收信時段',
    windowHint: '開始與結束相同表示全天；22:00 到 08:00 表示跨夜。時段外的郵件等到下個時段再看是否還要寄。',
    zone: '所在時區',
    upcoming: '接下來會寄',
    none: '現在沒有要寄的走棋郵件。',
    what: (kind: ReminderKind, tables: number) =>
      ({ NORMAL: `催棋，${tables} 桌`, DEADLINE: `臨期，${tables} 桌`, TIMED_OUT: `超時結果，${tables} 桌` })[
        kind
      ],
    table: '棋桌',
  },
  data: {
    heading: '我的資料',
    export: '匯出我的資料',
    exportHint: '下載伺服器儲存的、關於你的全部資料（JSON）。',
    remove: '註銷帳號',
    removeHint: '註銷不能撤銷。代價如下：',
    removeCosts: [
      '進行中的棋局全部按離席處理：每局扣 9 分，不能再回來，空席由別人接手；未開局的席位釋放，不扣分；候選資格作廢。',
      '結束的棋局不能再看，復盤不再寄送；要留的請先儲存。',
      '暱稱、密碼、設定、通知、私人標記與所有登入都抹去，暱稱別人可以再用。棋局與復盤裡只顯示「已註銷」；積分與戰績離開排行榜，不能找回。',
      '信箱抹去前會收到一封確認信，之後不再收到任何郵件。同一信箱可以重新註冊，一切從頭開始。',
    ],
    removeSure: (held: number) =>
      held
        ? `你還佔著 ${held} 席：進行中的每局扣 9 分，未開局的不扣分。註銷後帳號無法恢復。確定註銷？`
        : '你現在沒有佔著的席位，不會扣分。註銷後帳號無法恢復。確定註銷？',
    removed: '帳號已註銷',
  },
};

export default account;
