// The pages before the login: a registration whose answer was lost, and the address that comes along from page to page.
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { speak, speakPages } from '../src/i18n/index.ts';
import { LoginPage, RegisterPage, ResetPage } from '../src/pages/home/entry.ts';
import { HomePage } from '../src/pages/home/HomePage.tsx';
import { unreachable, viewer } from '../src/session.ts';
import { change } from '../src/settings.ts';
import { keepHere } from '../src/ui/tab.ts';

/** What happens to registering. */
let fate: 'lost' | 'wrong' = 'lost';

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
  await speakPages();
});
beforeEach(() => {
  sessionStorage.clear();
  fate = 'lost';
  vi.stubGlobal('fetch', async () => {
    if (fate === 'lost') throw new TypeError('lost');
    const userErrors = [{ code: 'CODE_WRONG', field: 'code', retryAfter: null, brokenRules: [] }];
    return Response.json({ data: { payload: { viewer: null, userErrors } } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const address = () => (screen.getByLabelText('Email address') as HTMLInputElement).value;

it('a registration without an answer may have made the account', async () => {
  keepHere('register', 'ada@example.org');
  render(<RegisterPage />);
  const submit = () => fireEvent.submit(document.querySelector('form') as HTMLFormElement);
  expect(screen.queryByText(/may exist already/)).toBeNull();
  submit();
  expect(await screen.findByText(/may exist already/)).toBeTruthy();
  // The code was used up by the first attempt: its refusal is no reason to think otherwise.
  fate = 'wrong';
  submit();
  await waitFor(() => expect(document.querySelector('.problem')).not.toBeNull());
  expect(screen.getByText(/may exist already/)).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: /Log in/ }));
  cleanup();
  render(<LoginPage />);
  expect(address()).toBe('ada@example.org');
});

it('a new password without an answer may be set', async () => {
  keepHere('reset', 'token');
  render(<ResetPage />);
  fireEvent.submit(document.querySelector('form') as HTMLFormElement);
  expect(await screen.findByText(/may be set already/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Log in' })).toBeTruthy();
});

it('a refused registration says nothing of an account', async () => {
  fate = 'wrong';
  keepHere('register', 'ada@example.org');
  render(<RegisterPage />);
  fireEvent.submit(document.querySelector('form') as HTMLFormElement);
  await waitFor(() => expect(document.querySelector('.problem')).not.toBeNull());
  expect(screen.queryByText(/may exist already/)).toBeNull();
});

it('a forgotten password takes the address along', () => {
  render(<LoginPage />);
  fireEvent.input(screen.getByLabelText('Email address'), { target: { value: ' ben@example.org' } });
  fireEvent.click(screen.getByRole('link', { name: /Forgot/ }));
  cleanup();
  render(<ResetPage />);
  expect(address()).toBe('ben@example.org');
});

it('the first page offers no login to somebody who may be logged in', () => {
  const offered = () => {
    cleanup();
    render(<HomePage />);
    return document.querySelector('a[href="/login"]') !== null;
  };
  viewer.value = null;
  expect(offered()).toBe(true);
  viewer.value = undefined;
  expect(offered()).toBe(true);
  unreachable.value = true;
  expect(offered()).toBe(false);
  viewer.value = null;
  expect(offered()).toBe(true);
  unreachable.value = false;
});
