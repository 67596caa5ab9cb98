// Starts the client: words first, then the page, then whoever is logged in.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { speak } from './i18n/index.ts';
import { ahead } from './pages.tsx';
import { follow, refresh } from './session.ts';
import { settings } from './settings.ts';
import './styles/base.css';
import './styles/parts.css';
import './styles/frame.css';

/** So long after the first picture a page is at rest. */
const REST_MS = 2_000;
const started = refresh();
ahead();
await speak();
const root = document.getElementById('app');
if (root) {
  root.textContent = '';
  render(<App />, root);
}
void import('./missing.ts').catch(() => {});
effect(() => {
  void settings.value.language;
  void speak();
});
follow();
await started;
// What is kept for later without a network is no part of the first visit.
void import('./offline.ts').then(({ offline }) => setTimeout(offline, REST_MS)).catch(() => {});
