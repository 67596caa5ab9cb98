// 佈陣的詞句，佈陣時才讀取。
import type { FormationRule } from '../api/generated.ts';
import type { DeployWords } from './zh-Hans.deploy.ts';

// 佈陣規則。
const rules: Record<FormationRule, string> = {
  BOMB_IN_FRONT_ROW: '炸彈不能放在最前排',
  FLAG_NOT_IN_HEADQUARTERS: '軍旗必須在大本營',
  MINE_NOT_IN_LAST_TWO_ROWS: '地雷只能放在最後兩排',
  POSITION_EMPTY: '此處沒有棋子',
  POSITION_IN_CAMP: '行營不能佈子',
  POSITION_NOT_OWN: '不是本席的棋位',
  UNKNOWN_PIECE: '不認識的棋子',
  WRONG_COUNT: '枚數不對',
};

const deploy: DeployWords = {
  leaveFree: '離開這張棋桌？還沒開局，不扣分，可以重新匹配。',
  heading: '佈陣',
  hint: '點兩枚棋子互換，或直接拖曳；圓點是可以換的位置',
  hintText: '先選一枚自己的棋子，再選與它互換的那一枚',
  ready: '完成調度',
  unready: '撤回，再調整',
  random: '隨機',
  import: '匯入',
  export: '匯出',
  saved: '陣型庫',
  save: '儲存目前陣型',
  nameIt: '陣型名稱',
  apply: '使用',
  remove: '刪除',
  none: '還沒有儲存的陣型。它們只留在這個瀏覽器裡。',
  importHint: '支援 .yibu-formation.json、QQ 的 .jql、SIGUOSET 文字與 layout= 文字',
  applied: '陣型已送到伺服器',
  counts: '這個陣型不是完整的 25 枚，沒有使用。請換一個。',
  savedAs: (name: string) => `已儲存「${name}」`,
  defaultName: (n: number) => `陣型 ${n}`,
  broken: '這樣不合規則：',
  rule: (rule: FormationRule, at: string) => `${at}：${rules[rule]}`,
};

export default deploy;
