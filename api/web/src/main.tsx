// Starts the client: words first, then the page, then whoever is logged in.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { speak } from './i18n/index.ts';
import { offline } from './offline.ts';
import { warmReplay } from './pages.tsx';
import { path } from './router.ts';
import { follow, refresh } from './session.ts';
import { settings } from './settings.ts';
import './styles/base.css';
import './styles/parts.css';
import './styles/frame.css';

const started = refresh();
await speak();
const root = document.getElementById('app');
if (root) {
  root.textContent = '';
  render(<App />, root);
}
effect(() => {
  void settings.value.language;
  void speak();
});
follow();
await started;
// Those who come to the first page or to a replay get the viewer for later; a table loads nothing beyond itself.
void offline(async () => {
  if (/^\/(replay)?$/.test(path.value)) await warmReplay();
});
