import { ODataError } from '../model.ts';
import { type Token, tokensOf } from './lexer.ts';

export type ComparisonOperator = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type LiteralValue =
  | { type: 'String' | 'Number' | 'Date' | 'DateTimeOffset'; text: string }
  | { type: 'Boolean'; value: boolean }
  | { type: 'Null' };

/** The tree of a `$filter`. */
export type Expression =
  | { node: 'literal'; value: LiteralValue }
  /** a property, or of a lambda's variable (`variable` set) */
  | { node: 'path'; variable: string | null; name: string | null }
  | { node: 'call'; name: string; args: Expression[] }
  | { node: 'compare'; operator: ComparisonOperator; left: Expression; right: Expression }
  | { node: 'in'; operand: Expression; values: Expression[] }
  | { node: 'and' | 'or'; operands: Expression[] }
  | { node: 'not'; operand: Expression }
  /** `condition` null: whether there is any element at all */
  | {
      node: 'lambda';
      quantifier: 'any' | 'all';
      collection: string;
      variable: string;
      condition: Expression | null;
    };

const operators: ReadonlySet<string> = new Set(['eq', 'ne', 'gt', 'ge', 'lt', 'le']);
const isOperator = (text: string): text is ComparisonOperator => operators.has(text);
/** Reserved words, which cannot be names. */
const reserved: ReadonlySet<string> = new Set([...operators, 'and', 'or', 'not', 'in']);
/** Operators of OData that this service does not support. */
const unsupported: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'div', 'divby', 'mod', 'has']);

const MAX_DEPTH = 40;
const MAX_NODES = 400;

/**
 * Parses a `$filter` into its tree. The size of the tree is bounded, so that neither parsing nor the query that is made of it takes long.
 * @throws ODataError saying what is wrong and where
 */
export function parseFilter(text: string): Expression {
  const parser = new Parser(tokensOf(text));
  return parser.whole();
}

class Parser {
  readonly #tokens: Token[];
  /** names that lambdas have given to elements, innermost last */
  readonly #variables: string[] = [];
  #at = 0;
  #depth = 0;
  #nodes = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#or();
    if (this.#peek().kind !== 'end') throw this.#unexpected();
    return expression;
  }

  #or(): Expression {
    return this.#chain('or', () => this.#chain('and', () => this.#not()));
  }

  #chain(word: 'and' | 'or', next: () => Expression): Expression {
    const first = next();
    if (!this.#isWord(word)) return first;
    const operands = [first];
    while (this.#isWord(word)) {
      this.#at += 1;
      operands.push(next());
    }
    return this.#made({ node: word, operands });
  }

  #not(): Expression {
    if (!this.#isWord('not')) return this.#comparison();
    this.#at += 1;
    const operand = this.#deeper(() => this.#not());
    return this.#made({ node: 'not', operand });
  }

  #comparison(): Expression {
    const left = this.#operand();
    const token = this.#peek();
    if (token.kind !== 'word') return left;
    if (isOperator(token.text)) {
      this.#at += 1;
      return this.#made({ node: 'compare', operator: token.text, left, right: this.#operand() });
    }
    if (token.text === 'in') {
      this.#at += 1;
      return this.#made({ node: 'in', operand: left, values: this.#list() });
    }
    if (unsupported.has(token.text))
      throw new ODataError('NotSupported', `The operator ${token.text} is not supported`, {
        target: '$filter',
      });
    return left;
  }

  #list(): Expression[] {
    this.#expect('(');
    const values = [this.#operand()];
    while (this.#isSymbol(',')) {
      this.#at += 1;
      values.push(this.#operand());
    }
    this.#expect(')');
    return values;
  }

  #operand(): Expression {
    const token = this.#peek();
    if (this.#isSymbol('(')) {
      this.#at += 1;
      const inner = this.#deeper(() => this.#or());
      this.#expect(')');
      return inner;
    }
    this.#at += 1;
    if (token.kind === 'string') return this.#literal({ type: 'String', text: token.text });
    if (token.kind === 'number') return this.#literal({ type: 'Number', text: token.text });
    if (token.kind === 'date') return this.#literal({ type: 'Date', text: token.text });
    if (token.kind === 'time') return this.#literal({ type: 'DateTimeOffset', text: token.text });
    if (token.kind !== 'word' || reserved.has(token.text)) {
      this.#at -= 1;
      throw this.#unexpected();
    }
    if (token.text === 'true' || token.text === 'false')
      return this.#literal({ type: 'Boolean', value: token.text === 'true' });
    if (token.text === 'null') return this.#literal({ type: 'Null' });
    if (this.#isSymbol('(')) return this.#call(token.text);
    return this.#path(token.text);
  }

  #literal(value: LiteralValue): Expression {
    return this.#made({ node: 'literal', value });
  }

  #call(name: string): Expression {
    this.#expect('(');
    const args: Expression[] = [];
    if (!this.#isSymbol(')')) {
      args.push(this.#deeper(() => this.#or()));
      while (this.#isSymbol(',')) {
        this.#at += 1;
        args.push(this.#deeper(() => this.#or()));
      }
    }
    this.#expect(')');
    return this.#made({ node: 'call', name, args });
  }

  #path(first: string): Expression {
    const isVariable = this.#variables.includes(first);
    if (!this.#isSymbol('/'))
      return this.#made({
        node: 'path',
        variable: isVariable ? first : null,
        name: isVariable ? null : first,
      });
    this.#at += 1;
    const next = this.#word();
    if (isVariable) return this.#made({ node: 'path', variable: first, name: next });
    if (next === 'any' || next === 'all') return this.#lambda(first, next);
    throw new ODataError('NotSupported', `The path ${first}/${next} is not supported in $filter`, {
      target: '$filter',
    });
  }

  #lambda(collection: string, quantifier: 'any' | 'all'): Expression {
    this.#expect('(');
    if (quantifier === 'any' && this.#isSymbol(')')) {
      this.#at += 1;
      return this.#made({ node: 'lambda', quantifier, collection, variable: '', condition: null });
    }
    const variable = this.#word();
    if (this.#variables.length > 0)
      throw new ODataError('NotSupported', 'A lambda inside a lambda is not supported');
    this.#expect(':');
    this.#variables.push(variable);
    const condition = this.#deeper(() => this.#or());
    this.#variables.pop();
    this.#expect(')');
    return this.#made({ node: 'lambda', quantifier, collection, variable, condition });
  }

  #word(): string {
    const token = this.#peek();
    if (token.kind !== 'word' || reserved.has(token.text)) throw this.#unexpected();
    this.#at += 1;
    return token.text;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', at: 0 };
  }

  #isWord(text: string): boolean {
    const token = this.#peek();
    return token.kind === 'word' && token.text === text;
  }

  #isSymbol(text: string): boolean {
    const token = this.#peek();
    return token.kind === 'symbol' && token.text === text;
  }

  #expect(text: string): void {
    if (!this.#isSymbol(text)) throw this.#unexpected();
    this.#at += 1;
  }

  #unexpected(): ODataError {
    const token = this.#peek();
    const found =
      token.kind === 'end'
        ? 'The expression ends too early'
        : `Unexpected '${token.text.slice(0, 40)}' at ${token.at + 1}`;
    return new ODataError('InvalidFilter', found, { target: '$filter' });
  }

  #deeper<Result>(work: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new ODataError('FilterTooComplex', `The filter is nested deeper than ${MAX_DEPTH}`, {
        target: '$filter',
      });
    const result = work();
    this.#depth -= 1;
    return result;
  }

  #made(expression: Expression): Expression {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES)
      throw new ODataError('FilterTooComplex', `The filter has more than ${MAX_NODES} parts`, {
        target: '$filter',
      });
    return expression;
  }
}
