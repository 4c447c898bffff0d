import { Link } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getScope } from '#app/request.ts';
import { saleAfterPayment } from '#app/sale/ask-about-payment.ts';
import { useCurrentSale } from '#app/sale/keep-current.ts';
import { useSite } from '#app/site.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { SaleOutcome } from '#features/purchases/components/sale-outcome.tsx';
import type { SaleView } from '#features/purchases/model.ts';
import { PageHead } from '#ui/page-head.tsx';
import type { Route } from './+types/activity';

/** With a sale in the address: where the provider's page leads to after paying (B-072). */
export async function loader({ url, context }: Route.LoaderArgs) {
  const saleId = url.searchParams.get('sale');
  return { sale: saleId ? await saleAfterPayment(getScope(context), saleId) : null };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Activity', hidden: true });

export default function MyActivity({ loaderData: { sale } }: Route.ComponentProps) {
  const viewer = useSite()?.viewer;
  return (
    <>
      <PageHead title="My Activity" />
      {sale && <Outcome sale={sale} />}
      {viewer && <SignedInLine email={viewer.email} accountPath={paths.account()} />}
      <p>
        <Link className="link" to={paths.properties()}>
          All Properties
        </Link>
      </p>
    </>
  );
}

function Outcome({ sale }: { sale: SaleView }) {
  const { payment } = sale.state;
  useCurrentSale(sale.id, payment === 'pending' || payment === 'processing');
  return <SaleOutcome sale={sale} />;
}
