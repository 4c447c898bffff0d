import { type RawBuilder, sql } from 'kysely';
import { providersOfAccount } from '#gateways/payments/providers.ts';

/**
 * The sale that a provider's message names by its checkout, by its payment, or by the payment of a part. Each way to name one is asked
 * by itself, since together they would follow no index.
 */
export const saleNamedBy = ({
  provider,
  ref,
  payment_ref,
}: {
  provider: string;
  ref: string | null;
  payment_ref: string | null;
}): RawBuilder<{ id: string }> => {
  const isTheirs = sql`provider = any(${providersOfAccount(provider)}::text[])`;
  return sql`
    select id from property_sales where ${isTheirs} and provider_session_id = ${ref}
    union all
    select id from property_sales where ${isTheirs} and provider_payment_id = ${payment_ref}
    union all
    select sale_id from sale_tranches where provider_ref = ${payment_ref}
    limit 1`;
};
