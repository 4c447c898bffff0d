import type { Context } from 'hono';
import type { z } from 'zod';
import type { WebEnv } from '#app/server/environment.ts';
import { BadRequest } from '#platform/errors.ts';

/**
 * Reads the JSON body of an endpoint.
 * @param refusal the message for a body of another shape
 * @throws BadRequest when the body is not JSON or does not match
 */
export async function readJson<Schema extends z.ZodType>(
  c: Context<WebEnv>,
  schema: Schema,
  refusal: (error: z.ZodError) => string,
): Promise<z.infer<Schema>> {
  const body = await c.req.json<unknown>().catch(() => {
    throw new BadRequest('The body is not JSON');
  });
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new BadRequest(refusal(parsed.error));
}
