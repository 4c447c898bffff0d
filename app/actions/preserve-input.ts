import { data, isRouteErrorResponse } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { INTENT } from '#ui/action-data.ts';
import type { ToastInput } from '#ui/toast.ts';
import { formText } from './form-data.ts';

interface ClientActionArgs<T> {
  request: Request;
  serverAction: () => Promise<T>;
}

interface Options<Input> {
  /** what the page gets back of the form */
  inputOf: (form: FormData) => Input;
  /** says that it could not be sent, on pages with several forms by the intent */
  toast: ToastInput | ((intent: string) => ToastInput);
  /** the error page may replace the form when the server refuses with a status below 500 */
  refusalsLeave?: boolean;
  /** sees the server's redirect; may answer in its place */
  onRedirect?: (to: Response) => { status: number; answer: Partial<ActionData<string, Input>> } | null;
}

type Keys<T> = T extends object ? keyof T : never;

/** What the page gets in place of the server's answer, without what that adds for this page. */
type Preserved<T, Input> = ActionData<string, Input> & { [K in Exclude<Keys<T>, keyof ActionData>]?: never };

/** Said where a page has no words of its own. */
export const NOT_SAVED: ToastInput = { title: 'Error', text: 'This was not saved. Please try again.' };

/** A page's client action: after a lost connection or a server error the page stays, with everything that was typed. */
export async function preserveInput<T, Input>(
  { request, serverAction }: ClientActionArgs<T>,
  { inputOf, toast, refusalsLeave = false, onRedirect }: Options<Input>,
) {
  const form = await request.clone().formData();
  const intent = formText(form, INTENT);
  // With an error status the router does not revalidate, which might lose the page.
  const stay = (answer: object, status: number) => {
    const preserved: ActionData<string, Input> = {
      intent,
      ok: false,
      toast: { tone: 'bad', ...(typeof toast === 'function' ? toast(intent) : toast) },
      input: inputOf(form),
      ...answer,
    };
    return data(preserved as Preserved<T, Input>, { status });
  };
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) {
      const instead = onRedirect?.(error);
      if (instead) return stay(instead.answer, instead.status);
      throw error;
    }
    if (refusalsLeave && isRouteErrorResponse(error) && error.status < 500) throw error;
    return stay({}, 503);
  }
}

/** Keeps those of these text fields that the form has. */
export const textFields =
  (...names: string[]) =>
  (form: FormData): Readonly<Record<string, string>> =>
    Object.fromEntries(names.flatMap((name) => (form.has(name) ? [[name, formText(form, name)]] : [])));
