import type { ToastInput } from './toast.ts';

/** The name of the field that says what a form asks for, in every form that writes. */
export const INTENT = 'intent';

/** What an action answers when its page stays: the same shape for every form. Passwords are never returned. */
export interface ActionData<Field extends string = string, Input = Readonly<Record<string, string>>> {
  /** which of the page's forms this belongs to */
  intent: string;
  ok: boolean;
  errors?: Partial<Record<Field, string>>;
  toast?: ToastInput;
  /** what was typed, to show it again after a refusal */
  input?: Input;
}
