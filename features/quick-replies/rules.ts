import { hasRole } from '#platform/access.ts';
import type { QuickReply } from './model.ts';

/** Quick replies are for sellers, each their own. */
export const mayHaveQuickReplies = hasRole('agent');

/** The text of a quick reply in a conversation: with the buyer's name and the property's address. */
export const fillReply = (
  { text }: Pick<QuickReply, 'text'>,
  { buyer, property }: { buyer: string; property: string },
): string =>
  text.replace(/\{(buyer|property)\}/gi, (_, word: string) =>
    word.toLowerCase() === 'buyer' ? buyer : property,
  );
