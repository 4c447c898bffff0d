import type { DeedAnswer, SaleEvent } from '#features/purchases/model.ts';

/** A lost connection or a fault keeps the dialog and its text. */
export async function keepTyped<T>(
  request: Request,
  serverAction: () => Promise<T>,
): Promise<T | DeedAnswer> {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    const event = String(form.get('event')) as SaleEvent;
    const text = 'This could not be sent. Please try again.';
    return { event, text, note: String(form.get('note') ?? '') };
  }
}
