import type { SaleImage } from '#features/payments/sale-image.ts';
import type { CheckoutState } from '#gateways/payments/port.ts';
import { acted, begunSale, openCheckout, synced } from './memory-sale.ts';
import type { Act, Walk } from './steps.ts';

/** Where a sale is kept: in memory, or in a database. */
export interface Keeper {
  image(): Promise<SaleImage>;
  sync(answer: CheckoutState): Promise<void>;
  act(act: Act): Promise<void>;
}

export class MemoryKeeper implements Keeper {
  #image: SaleImage;
  constructor(image: SaleImage) {
    this.#image = image;
  }
  image(): Promise<SaleImage> {
    return Promise.resolve(this.#image);
  }
  sync(answer: CheckoutState): Promise<void> {
    this.#image = synced(this.#image, answer);
    return Promise.resolve();
  }
  act(act: Act): Promise<void> {
    this.#image = acted(this.#image, act);
    return Promise.resolve();
  }
  copy(): MemoryKeeper {
    return new MemoryKeeper(this.#image);
  }
  describe(): string {
    return JSON.stringify(this.#image);
  }
}

/** What an answer of the provider shows: how things stand now, or stood when its message was sent. */
export type Answers = 'current' | 'old';

/** A walk under way. */
export class Walker<K extends Keeper> {
  readonly keeper: K;
  readonly #walk: Walk;
  readonly #answers: Answers;
  #truth: CheckoutState;
  #sent: CheckoutState[] = [];
  #stepsDone = 0;

  constructor(walk: Walk, keeper: K, answers: Answers, saleId: string) {
    this.#walk = walk;
    this.keeper = keeper;
    this.#answers = answers;
    this.#truth = openCheckout(saleId);
  }

  copyWith(keeper: K): Walker<K> {
    const copy = new Walker(this.#walk, keeper, this.#answers, '');
    copy.#truth = this.#truth;
    copy.#sent = [...this.#sent];
    copy.#stepsDone = this.#stepsDone;
    return copy;
  }

  /** Everything that the rest of the walk depends on, besides the keeper. */
  describe(): string {
    return JSON.stringify([this.#stepsDone, this.#truth, this.#answers === 'old' ? this.#sent : null]);
  }

  /** A message arrives, after its cause; the provider is asked, and its answer applied. */
  async deliver(message: number): Promise<void> {
    while (message >= this.#sent.length) if (!(await this.proceed())) break;
    const old = this.#sent[message];
    await this.keeper.sync(this.#answers === 'old' && old ? old : this.#truth);
  }

  /** What is left happens without any message; then the provider is asked once. */
  async finish(): Promise<SaleImage> {
    while (await this.proceed());
    await this.keeper.sync(this.#truth);
    return this.keeper.image();
  }

  /** Every message once, as soon as it is sent. @returns how many there are */
  async inOrder(): Promise<number> {
    for (;;) {
      const sent = this.#sent.length;
      if (!(await this.proceed())) return sent;
      if (this.#sent.length > sent) await this.deliver(sent);
    }
  }

  /** The next step, for which the provider may have to be asked first. @returns false when there is none, or it cannot be */
  async proceed(): Promise<boolean> {
    const step = this.#walk.steps[this.#stepsDone];
    if (!step) return false;
    const isReady = async () => step.ready?.(await this.keeper.image(), this.#truth) ?? true;
    if (!(await isReady())) {
      await this.keeper.sync(this.#truth);
      if (!(await isReady())) return false;
    }
    this.#stepsDone += 1;
    if (step.at === 'us') await this.keeper.act(step.name);
    else {
      this.#truth = step.next(this.#truth, await this.keeper.image());
      this.#sent.push(this.#truth);
    }
    return true;
  }
}

/** A walk of a sale in memory, at its beginning. */
export function memoryWalker(walk: Walk, answers: Answers, saleId = 'sale'): Walker<MemoryKeeper> {
  return new Walker(walk, new MemoryKeeper(begunSale(saleId)), answers, saleId);
}
