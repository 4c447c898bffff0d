import { data } from 'react-router';
import type { Ctx } from '#platform/context.ts';
import { TooManyRequests } from '#platform/errors.ts';
import type { ToastInput } from '#ui/toast.ts';

/** What an account form answers when it stays on its page. Passwords never come back. */
export interface FormAnswer {
  /** which of the page's forms this is about */
  form: string;
  errors?: Partial<Record<string, string>>;
  /** typed values to show again */
  email?: string;
  toast?: ToastInput;
  /** offers to mail the confirmation again (B-091) */
  resend?: boolean;
}

export const typedText = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

/** A refusal with its status; 422 for what was typed wrong. */
export const refuse = (answer: FormAnswer, status = 422, headers?: HeadersInit) =>
  data(
    { ...answer, ...(answer.toast && { toast: { ...answer.toast, tone: 'bad' as const } }) },
    { status, ...(headers && { headers }) },
  );

/**
 * Runs a form's command. A reached limit and a fault become a toast on the page, so that nothing typed is lost; a fault
 * is logged with the request's id and told in the words given (B-225).
 */
export async function answering<T>(
  ctx: Ctx,
  failed: { answer: FormAnswer; title: string; unexpected: string },
  work: () => Promise<T>,
): Promise<T | ReturnType<typeof refuse>> {
  const { answer, title, unexpected } = failed;
  try {
    return await work();
  } catch (error) {
    if (error instanceof Response) throw error;
    if (error instanceof TooManyRequests) {
      const headers = { 'retry-after': String(error.retryAfterSeconds) };
      return refuse({ ...answer, toast: { title, text: error.message } }, 429, headers);
    }
    ctx.log.error({ err: error }, 'an account form failed');
    return refuse({ ...answer, toast: { title, text: unexpected } }, 500);
  }
}
