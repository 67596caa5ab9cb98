// Settings of this device, and the account as far as it can be changed here. A further section is a file of its own.
import { fullMoment, LANGUAGES, pageWords } from '../../i18n/index.ts';
import { viewer } from '../../session.ts';
import { change, type Language, settings, type Theme } from '../../settings.ts';
import { useTitle } from '../../ui/title.ts';
import { AccountSection } from './AccountSection.tsx';
import '../../styles/forms.css';

/** The page of settings. */
export function SettingsPage() {
  const { settings: w } = pageWords();
  useTitle(w.heading);
  const now = settings.value;
  const themes: readonly Theme[] = ['system', 'light', 'dark'];
  return (
    <div class="page narrow">
      <h1>{w.heading}</h1>
      <p class="quiet">{w.here}</p>
      <section class="card form">
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
            {themes.map((theme) => (
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
      </section>
      {viewer.value && (
        <AccountSection
          me={viewer.value}
          since={viewer.value.createdAt ? fullMoment(viewer.value.createdAt) : null}
        />
      )}
    </div>
  );
}

interface SwitchProps {
  label: string;
  hint: string;
  on: boolean;
  set: (on: boolean) => void;
}

function Switch({ label, hint, on, set }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      <span>
        <b>{label}</b>
        <small>{hint}</small>
      </span>
    </label>
  );
}
