import { BadRequest } from '#platform/errors.ts';

/**
 * Reads the request body as form data.
 * @throws BadRequest when the body is not a form, and for NUL, which nobody types and no database stores
 */
export async function readFormData(request: Request): Promise<FormData> {
  const form = await formDataOf(request);
  for (const [name, value] of form)
    if (name.includes('\0') || (typeof value === 'string' && value.includes('\0'))) throw new BadRequest();
  return form;
}

async function formDataOf(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    // Thrown for a wrong content type as well as for a malformed body.
    if (error instanceof TypeError) throw new BadRequest('This is not a form');
    throw error;
  }
}

/** A field's text; empty when it is missing or a file. */
export const formText = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};
