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
  /** says that it could not be sent */
  toast: ToastInput;
  /** the error page may replace the form when the server refuses with a status below 500 */
  refusalsLeave?: boolean;
  /** sees the server's redirect; may answer in its place */
  onRedirect?: (to: Response) => { status: number; answer: Partial<ActionData<string, Input>> } | null;
}

/** Said where a page has no words of its own. */
export const NOT_SAVED: ToastInput = { title: 'Error', text: 'This was not saved. Please try again.' };

/** A page's client action: after a lost connection or a server error the page stays, with everything that was typed. */
export async function preserveInput<T, Input>(
  { request, serverAction }: ClientActionArgs<T>,
  { inputOf, toast, refusalsLeave = false, onRedirect }: Options<Input>,
) {
  const form = await request.clone().formData();
  // With an error status the router does not revalidate, which might lose the page.
  const stay = (answer: object, status: number) => {
    const preserved: ActionData<string, Input> = {
      intent: formText(form, INTENT),
      ok: false,
      toast: { tone: 'bad', ...toast },
      input: inputOf(form),
      ...answer,
    };
    return data(preserved, { status });
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

/** Keeps these text fields. */
export const textFields =
  (...names: string[]) =>
  (form: FormData): Readonly<Record<string, string>> =>
    Object.fromEntries(names.map((name) => [name, formText(form, name)]));
