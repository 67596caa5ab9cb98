// What a person sets on this device.
import { LANGUAGES, pageWords } from '../../i18n/index.ts';
import { change, type Language, settings, type Theme } from '../../settings.ts';
import { NotifySwitch } from './NotifySwitch.tsx';
import { Switch } from './Switch.tsx';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The device's section. */
export function DeviceSection() {
  const { settings: w } = pageWords();
  const now = settings.value;
  return (
    <section class="card form">
      <div>
        <h2>{w.device}</h2>
        <p class="quiet">{w.here}</p>
      </div>
      <div class="field">
        <label for="language">{w.language}</label>
        <select
          id="language"
          value={now.language}
          onChange={(event) => change({ language: event.currentTarget.value as Language })}
        >
          {LANGUAGES.map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <fieldset>
        <legend>{w.theme}</legend>
        <div class="segments">
          {THEMES.map((theme) => (
            <label key={theme}>
              <input
                type="radio"
                name="theme"
                checked={now.theme === theme}
                onChange={() => change({ theme })}
              />
              <span>{w.themes[theme]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Switch
        label={w.confirm}
        hint={w.confirmHint}
        on={now.confirmMoves}
        set={(confirmMoves) => change({ confirmMoves })}
      />
      <Switch
        label={w.text}
        hint={w.textHint}
        on={now.textBoard}
        set={(textBoard) => change({ textBoard })}
      />
      <Switch label={w.sound} hint={w.soundHint} on={now.sound} set={(sound) => change({ sound })} />
      <NotifySwitch />
    </section>
  );
}
