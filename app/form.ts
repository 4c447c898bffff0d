import { BadRequest } from '#platform/errors.ts';

/**
 * The fields that a form sent.
 * @throws BadRequest for a body that is no form of a browser
 */
export async function formOf(request: Request): Promise<FormData> {
  try {
    return await request.formData();
  } catch (error) {
    // What cannot be read as a form, by its type or by its content.
    if (error instanceof TypeError) throw new BadRequest('This is not a form');
    throw error;
  }
}
