/** A schema of JSON, of the kinds that the descriptions use (a part of JSON Schema 2020-12). */
export interface Schema {
  type?: string | readonly string[];
  description?: string;
  format?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly string[];
  $ref?: string;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required?: boolean;
  schema: Schema;
  example?: string;
}

/** What an endpoint answers, by status. */
interface Answer {
  description: string;
  content?: Readonly<Record<string, Schema>>;
}

/** The description of a public endpoint, which stands beside its handler; the OpenAPI document is made of these. */
export interface EndpointDescription {
  /** as registered, with `:name` for a part of it */
  path: string;
  summary: string;
  tag: 'RESO Web API' | 'Search' | 'Feeds' | 'Service';
  /** whether it asks for an API key */
  key?: true;
  parameters?: readonly Parameter[];
  answers: Readonly<Record<string, Answer>>;
}

/** A parameter of the query. */
export const query = (name: string, description: string, schema: Schema = { type: 'string' }): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

/** A part of the path, with an example that exists on every installation where there is one. */
export const inPath = (name: string, description: string, example: string): Parameter => ({
  name,
  in: 'path',
  description,
  required: true,
  schema: { type: 'string' },
  example,
});
