import * as fc from 'fast-check';
import { attempt, type HistoryScenario, type Purchase } from './history-scenario.ts';

/** What a step's precondition depends on: the number of purchases begun. */
export interface Model {
  begun: number;
}

export class Step implements fc.AsyncCommand<Model, HistoryScenario> {
  readonly name: string;
  readonly #needs: number;
  readonly #does: (scenario: HistoryScenario) => Promise<unknown>;
  constructor(name: string, needs: number, does: (scenario: HistoryScenario) => Promise<unknown>) {
    this.name = name;
    this.#needs = needs;
    this.#does = does;
  }
  check({ begun }: Model): boolean {
    return begun >= this.#needs;
  }
  async run(model: Model, scenario: HistoryScenario): Promise<void> {
    await attempt(scenario, () => this.#does(scenario));
    model.begun = scenario.purchases.length;
  }
  toString(): string {
    return this.name;
  }
}

const which = fc.nat({ max: 3 });
export const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

/** A step that acts on one purchase. */
export const purchaseStep = <T>(
  name: string,
  choices: fc.Arbitrary<T>,
  does: (scenario: HistoryScenario, purchase: Purchase, choice: T) => Promise<unknown>,
) =>
  fc
    .tuple(which, choices)
    .map(
      ([at, choice]) =>
        new Step(`${name} #${at} ${choice ?? ''}`.trim(), 1, (scenario) =>
          does(scenario, pick(scenario.purchases, at), choice),
        ),
    );
export const noChoice = fc.constant(null);

/** A step that acts on all of them. */
export const simpleStep = (name: string, does: (scenario: HistoryScenario) => Promise<unknown>) =>
  fc.constant(null).map(() => new Step(name, 1, does));
