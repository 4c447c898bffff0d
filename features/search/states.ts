const STATES = `al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware|dc district of columbia
fl florida|ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|ky kentucky|la louisiana|me maine|md maryland
ma massachusetts|mi michigan|mn minnesota|ms mississippi|mo missouri|mt montana|ne nebraska|nv nevada|nh new hampshire|nj new jersey
nm new mexico|ny new york|nc north carolina|nd north dakota|oh ohio|ok oklahoma|or oregon|pa pennsylvania|pr puerto rico
ri rhode island|sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah|vt vermont|va virginia|wa washington
wv west virginia|wi wisconsin|wy wyoming`;

const codes = new Map<string, string>();
const names = new Map<string, string>();
for (const state of STATES.split(/[|\n]/)) {
  const code = state.slice(0, 2);
  codes.set(code, code).set(state.slice(3), code);
  names.set(code, state.slice(3));
}

/** The two letters of a state of the United States, by its name or them, all in lower case; null for anything else. */
export const codeOfState = (name: string): string | null => codes.get(name) ?? null;

/** A state by name, written as usual. */
interface NamedState {
  /** two letters, in lower case */
  code: string;
  name: string;
}

const named: NamedState[] = STATES.split(/[|\n]/).map((state) => ({
  code: state.slice(0, 2),
  name: state.slice(3).replace(/\b(?!of\b)[a-z]/g, (letter) => letter.toUpperCase()),
}));

/** The states whose name begins with the text (three letters or more), or whose two letters it is; all in lower case. */
export const statesStartingWith = (text: string): NamedState[] =>
  named.filter(({ code, name }) =>
    text.length === 2 ? code === text : text.length > 2 && name.toLowerCase().startsWith(text),
  );

/** The state with this name or these two letters, all in lower case; null for anything else. */
export const stateNamed = (text: string): NamedState | null =>
  named.find(({ code }) => code === codeOfState(text)) ?? null;

/** The name of a state in lower case, by its two letters. */
export const nameOfState = (code: string): string | null => names.get(code) ?? null;
