// The list of formations that this browser keeps.
import { useSignal } from '@preact/signals';
import type { Placed } from '../../formation/rules.ts';
import { exportFormation, forgetFormation, savedFormations, saveFormation } from '../../formation/save.ts';
import { deploy as group } from '../../i18n/deploy.ts';
import { words } from '../../i18n/index.ts';
import { Sheet } from '../../ui/Sheet.tsx';
import { say } from '../../ui/toasts.tsx';
import '../../styles/forms.css';

interface Props {
  current: Placed[];
  onApply: (pieces: Placed[]) => void;
  onClose: () => void;
}

/** A sheet with the kept formations. */
export function SavedFormations({ current, onApply, onClose }: Props) {
  const deploy = group.words();
  const list = useSignal(savedFormations());
  const name = useSignal(deploy.defaultName(list.value.length + 1));
  const save = (event: Event) => {
    event.preventDefault();
    const chosen = name.value.trim();
    if (!chosen) return;
    saveFormation({ name: chosen, pieces: current });
    list.value = savedFormations();
    say(deploy.savedAs(chosen));
  };
  return (
    <Sheet label={deploy.saved} onClose={onClose}>
      <h2>{deploy.saved}</h2>
      <form class="row" onSubmit={save}>
        <label class="field grow">
          <span>{deploy.nameIt}</span>
          <input
            type="text"
            maxLength={30}
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          {deploy.save}
        </button>
      </form>
      {list.value.length === 0 && <p class="quiet">{deploy.none}</p>}
      <ul class="plain">
        {list.value.map((one) => (
          <li key={one.name} class="row between">
            <span class="grow">{one.name}</span>
            <button type="button" onClick={() => onApply(one.pieces)}>
              {deploy.apply}
            </button>
            <button type="button" onClick={() => exportFormation(one)}>
              {deploy.export}
            </button>
            <button
              type="button"
              class="risky"
              onClick={() => {
                forgetFormation(one.name);
                list.value = savedFormations();
              }}
            >
              {deploy.remove}
            </button>
          </li>
        ))}
      </ul>
      <div class="row end">
        <button type="button" onClick={onClose}>
          {words().common.close}
        </button>
      </div>
    </Sheet>
  );
}
