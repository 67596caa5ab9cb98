// The first page: what this is in three lines, and the doors.
import { pageWords, words } from '../../i18n/index.ts';
import { stranger, viewer, waiting } from '../../session.ts';
import { useTitle } from '../../ui/title.ts';
import { Emblem } from './Emblem.tsx';
import { PickReplay } from './PickReplay.tsx';
import '../../styles/board.css';
import '../../styles/home.css';

/** The home page. */
export function HomePage() {
  const { home } = pageWords();
  const { title, common } = words();
  useTitle(title);
  const me = viewer.value;
  return (
    <div class="page home">
      <section class="hero">
        <div class="hero-text">
          <h1>{home.heading}</h1>
          <ul class="lines">
            {home.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {me ? (
            <>
              <p class="quiet">
                {home.welcome(me.player.nickname ?? common.erased)} · {home.waiting(waiting.value)}
              </p>
              <div class="row">
                <a class="button main big" href="/lobby">
                  {home.enter}
                </a>
              </div>
            </>
          ) : (
            stranger() && (
              <div class="row">
                <a class="button main big" href="/register">
                  {home.register}
                </a>
                <a class="button big" href="/login">
                  {home.login}
                </a>
              </div>
            )
          )}
        </div>
        <Emblem />
      </section>
      <section class="doors">
        <div class="card door">
          <h2>{home.manual}</h2>
          <p>{home.manualHint}</p>
          <a class="button" href="/manual">
            {home.read}
          </a>
        </div>
        <div class="card door">
          <h2>{home.replay}</h2>
          <p>{home.replayHint}</p>
          <PickReplay />
        </div>
      </section>
    </div>
  );
}
