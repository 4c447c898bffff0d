import { House, Plus, ReceiptText, Star, Users } from 'lucide-react';
import { Link, UNSAFE_ErrorResponseImpl as RoutedError } from 'react-router';
import { AuthCard } from '#app/shell/auth-card.tsx';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { NotFoundPage } from '#app/shell/not-found-page.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { Table } from '#ui/table.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { listingColumns, sellerStats } from './list-states.tsx';
import { sampleRows } from './samples.ts';

function RecentProperties() {
  return (
    <Panel
      title="Recent Properties"
      actions={
        <Link className="link text-[0.875rem]" to="#main">
          My Properties
        </Link>
      }
    >
      <Table
        label="Recent Properties"
        columns={listingColumns}
        rows={sampleRows}
        rowKey={(row) => row.id}
        loading="Loading properties..."
        empty="No properties found."
        error={null}
      />
    </Panel>
  );
}

export function SellerPage() {
  return (
    <>
      <AreaHead
        title="Seller Dashboard"
        actions={
          <ButtonLink to="#main" icon={Plus}>
            Add New Property
          </ButtonLink>
        }
      />
      <StatStrip stats={sellerStats} />
      <RecentProperties />
    </>
  );
}

export function AdminPage() {
  return (
    <>
      <AreaHead
        title="Admin Dashboard"
        actions={
          <>
            <ButtonLink to="#main" variant="outline" icon={Users}>
              Manage Sellers
            </ButtonLink>
            <ButtonLink to="#main" icon={Plus}>
              Add Property
            </ButtonLink>
          </>
        }
      />
      <StatStrip
        stats={[
          { label: 'Total Sellers', value: '38', icon: Users, href: '#main' },
          { label: 'Total Properties', value: '214', icon: House, href: '#main' },
          { label: 'Total Sales', value: '$18,462,500', icon: ReceiptText, href: '#main' },
          { label: 'Featured Properties', value: '5', of: '/5', icon: Star },
        ]}
      />
      <Panel title="Commission Overview">
        <dl className="tiles">
          <div>
            <dt>Average Seller Commission Rate</dt>
            <dd>80.1%</dd>
          </div>
          <div>
            <dt>Total Admin Fees</dt>
            <dd>$3,692,500.00</dd>
          </div>
          <div>
            <dt>Total Transactions</dt>
            <dd>31</dd>
          </div>
        </dl>
      </Panel>
      <RecentProperties />
    </>
  );
}

export function SignInView() {
  return (
    <AuthCard
      title="Welcome Back"
      lead="Sign in to your buyer account"
      back={{ href: '/', label: 'Back to Home' }}
      foot={
        <p>
          New here?{' '}
          <Link className="link" to="#main">
            Create Buyer Account
          </Link>
        </p>
      }
    >
      <form>
        <TextInput large label="Email" type="email" name="email" autoComplete="username" />
        <PasswordInput large label="Password" name="password" autoComplete="current-password" />
        <Button type="submit" size="lg" wide>
          Sign In
        </Button>
        <Button variant="link">Forgot password?</Button>
      </form>
    </AuthCard>
  );
}

export const NotFoundView = NotFoundPage;

export function ErrorView({ routed }: { routed: boolean }) {
  const error = routed
    ? new RoutedError(403, 'Forbidden', { message: 'This listing belongs to someone else.' })
    : new Error('drawn in the gallery');
  return <ErrorPage error={error} correlationId="01JD5V2Q8E" />;
}
