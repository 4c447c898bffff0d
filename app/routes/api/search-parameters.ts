import { query } from '#app/server/api-description.ts';
import { narrowingParameters } from '#features/search/parameters.ts';

/** The parameters of every endpoint that takes a search, as the list of properties does. */
export const searchQuery = narrowingParameters.map(({ name, description, type, values, repeats }) => {
  const schema = { type, ...(values && { enum: values }) };
  return query(name, description, repeats ? { type: 'array', items: schema } : schema);
});

/** The answer to a drawn area that is none. */
export const wrongArea = {
  description: 'The drawn area is wrong; the text says how',
  content: {
    'application/json': { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
  },
} as const;
