// Downloading the complete replay of a match that ended.
import { ReadReplayFileDocument } from '../../api/generated.replay.ts';
import { ask, FILE_MS } from '../../api/http.ts';
import { aside } from '../../i18n/aside.ts';
import { download } from '../../ui/download.ts';
import { say, sayFault } from '../../ui/toasts.tsx';

/** Downloads it and says so; false when the server does not keep it any more. */
export async function saveReplay(matchId: string): Promise<boolean> {
  const { save } = aside.words();
  try {
    const { replay } = await ask(ReadReplayFileDocument, { matchId }, FILE_MS);
    if (!replay) return false;
    download(replay.fileName, replay.file);
    say(save.saved(replay.fileName));
  } catch (fault) {
    sayFault(fault);
  }
  return true;
}
