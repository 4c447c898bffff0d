/** All fields of the form with the columns, as they were typed. */
export function typedChoices(form: FormData): Record<string, string> {
  const typed: Record<string, string> = {};
  for (const [name, value] of form) if (typeof value === 'string' && name !== 'intent') typed[name] = value;
  return typed;
}
