// The fields that several forms ask for, each with what the browser and the rules want of it.
import type { Signal } from '@preact/signals';
import { pageWords } from '../i18n/index.ts';
import type { Attempt } from './attempt.ts';
import { Field } from './Field.tsx';

interface Props {
  value: Signal<string>;
  attempt: Attempt;
}

/** The address of an account that there is, or of one to be. */
export function EmailField({ label, known, readOnly, ...of }: Props & EmailProps) {
  return (
    <Field
      {...of}
      label={label ?? pageWords().account.email}
      type="email"
      name="email"
      autoComplete={known ? 'username' : 'email'}
      readOnly={readOnly}
    />
  );
}

interface EmailProps {
  label?: string;
  known?: boolean;
  readOnly?: boolean;
}

/** The six digits that were mailed. */
export function CodeField(of: Props) {
  return (
    <Field
      {...of}
      label={pageWords().account.code}
      type="text"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="\d{6}"
      maxLength={6}
    />
  );
}

/** The nickname, with what is to be known about changing it. */
export function NicknameField({ hint, ...of }: Props & { hint: string }) {
  return (
    <Field
      {...of}
      label={pageWords().account.nickname}
      type="text"
      name="nickname"
      autoComplete="nickname"
      maxLength={64}
      hint={hint}
    />
  );
}

/** A password that is set. */
export function NewPasswordField({ label, ...of }: Props & { label: string }) {
  return (
    <Field
      {...of}
      label={label}
      type="password"
      name="password"
      autoComplete="new-password"
      minLength={10}
      maxLength={128}
      hint={pageWords().account.passwordHint}
    />
  );
}

/** The password that there is. */
export function PasswordField({
  label,
  name,
  ...of
}: Props & { label: string; name: 'current' | 'password' }) {
  return <Field {...of} label={label} type="password" name={name} autoComplete="current-password" />;
}
