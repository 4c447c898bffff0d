import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { loginLinks } from '#app/shell/account-links.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Badge, type Tone } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Drawer, DrawerFacts, DrawerSection } from '#ui/drawer.tsx';
import { Icon } from '#ui/icon.tsx';
import { Menu } from '#ui/menu.tsx';
import { Notice } from '#ui/notice.tsx';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { toast } from '#ui/toast.ts';
import { ToastView } from '#ui/toast-view.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import { GallerySection, LabelledRow } from './gallery-section.tsx';
import { gallery } from './samples.ts';

const toasts = [
  { title: 'Inquiry Sent', text: 'The seller will get back to you soon.', tone: 'ok' },
  { title: 'Error', text: 'Failed to send message. Please try again.', tone: 'bad' },
  { title: 'Property Update', text: '📉 $699,000 → $689,000', tone: 'info' },
] as const;

export function Messages() {
  return (
    <GallerySection title="Messages">
      <div className="flex flex-wrap items-start gap-6">
        {toasts.map((sample) => (
          <div key={sample.title} className="w-[380px] max-w-full">
            <ToastView toast={sample} />
          </div>
        ))}
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        {toasts.map((sample) => (
          <Button key={sample.title} variant="outline" onClick={() => toast(sample)}>
            Show {sample.title}
          </Button>
        ))}
      </div>
      <div className="g2 mt-6">
        <Notice tone="info" title="You are signed in as a seller">
          <p>Sign out to use a buyer account.</p>
        </Notice>
        <Notice tone="warn" title="Test mode">
          <p>No real money moves.</p>
        </Notice>
        <Notice tone="ok" title="3 Payouts Processed" onDismiss={() => undefined} />
        <Notice tone="bad" title="1 Payouts Failed">
          <p>22–30 Mercer Row: the account is restricted.</p>
        </Notice>
      </div>
    </GallerySection>
  );
}

const payouts = {
  rows: [
    { label: 'Theo Lindqvist · Stripe', amount: '$944,000.00' },
    { label: 'Abel Renner · PayPal', amount: '$432,000.00' },
    { label: 'Maren Holloway · Stripe', amount: '$1,492,000.00' },
  ],
  total: { label: '3 payouts', amount: '$2,868,000.00' },
};
const payoutText =
  'Mark 3 commission payouts as completed. This records the payout date and cannot be undone.';

export function Menus() {
  return (
    <GallerySection title="Confirm and menus">
      <div className="g2">
        <div className="scrim">
          <div className="dialog">
            <h3 className="text-[1.375rem]">Confirm Payouts</h3>
            <p className="dialog-text">{payoutText}</p>
            <PriceBreakdown {...payouts} />
            <div className="dialog-acts">
              <Button variant="outline">Cancel</Button>
              <Button>Process Selected Payouts</Button>
            </div>
          </div>
        </div>
        <div className="flex flex-wrap items-start gap-5">
          <div className="menu">
            <a href="#main">All Properties</a>
            {gallery.types.map((type, index) => (
              <a key={type.slug} href="#main" className={index === 0 ? 'is-hover' : undefined}>
                {type.name}
              </a>
            ))}
          </div>
          <div className="menu">
            {loginLinks.map((link, index) => (
              <div key={link.href}>
                {index === 2 && <hr />}
                <a href={link.href} className={index === 1 ? 'is-hover' : undefined}>
                  {link.label}
                </a>
              </div>
            ))}
          </div>
          <Menu
            label="Actions"
            buttonClass="iconbtn"
            entries={[
              { label: 'Edit', icon: Pencil, onSelect: () => toast({ title: 'Edit' }) },
              { label: 'Archive', disabled: true },
              'line',
              { label: 'Delete', icon: Trash2, danger: true, onSelect: () => toast({ title: 'Deleted' }) },
            ]}
          >
            <Icon of={Ellipsis} />
          </Menu>
          <Tooltip text="Shown on hover and on focus; Escape takes it away.">
            <Button variant="ghost">Tooltip</Button>
          </Tooltip>
        </div>
      </div>
    </GallerySection>
  );
}

export function Dialogs() {
  const [open, setOpen] = useState<'inquiry' | 'payouts' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <GallerySection title="Dialogs">
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={() => setOpen('inquiry')}>
          Inquire About Property
        </Button>
        <Button variant="outline" onClick={() => setOpen('payouts')}>
          Process Selected Payouts
        </Button>
        <Button variant="outline" onClick={() => setOpen('delete')}>
          Delete Seller
        </Button>
      </div>
      <ActionDialog
        open={open === 'inquiry'}
        onClose={close}
        title="Send Inquiry to Seller"
        confirmLabel="Send Inquiry"
        intent="sample"
        pending={false}
        error={null}
        onConfirm={close}
      >
        <TextArea label="Message" rows={5} maxLength={4000} counted />
      </ActionDialog>
      <ActionDialog
        open={open === 'payouts'}
        onClose={close}
        intent="sample"
        pending={false}
        error={null}
        onConfirm={close}
        title="Confirm Payouts"
        text={payoutText}
        confirmLabel="Process Selected Payouts"
      >
        <PriceBreakdown {...payouts} />
      </ActionDialog>
      <ActionDialog
        open={open === 'delete'}
        onClose={close}
        intent="sample"
        pending={false}
        error={null}
        onConfirm={close}
        danger
        title="Delete Theo Lindqvist?"
        text="The seller has no listings and no sales. This cannot be undone."
        confirmLabel="Delete Seller"
      />
    </GallerySection>
  );
}

export function Drawers() {
  const [query] = useSearchParams();
  const current = query.get('details');
  const tabs = ['facts', 'sale'].map((id) => ({
    id,
    label: id === 'facts' ? 'Facts' : 'Sale',
    href: `?details=${id}`,
  }));
  return (
    <GallerySection title="Drawer">
      <Drawer
        closeHref="?"
        content={
          current
            ? {
                title: '5 Quarry Hill',
                text: 'Stillwater, ID 83814',
                tabs: { label: '5 Quarry Hill', tabs, current: current === 'sale' ? 'sale' : 'facts' },
                actions: (
                  <>
                    <Button>Approve</Button>
                    <Button variant="outline">Request changes</Button>
                  </>
                ),
                children: (
                  <>
                    <DrawerSection title="Facts" note="Base price">
                      <DrawerFacts
                        facts={[
                          ['Price', '$534,500'],
                          ['Bedrooms', '3'],
                          ['Year built', null],
                          ['Seller', 'Abel Renner'],
                        ]}
                      />
                    </DrawerSection>
                    <DrawerSection>
                      <p className="text-[0.875rem]">A section without a title.</p>
                    </DrawerSection>
                  </>
                ),
              }
            : null
        }
      />
      <Link className="link" to="?details=facts" preventScrollReset>
        Details of 5 Quarry Hill
      </Link>
    </GallerySection>
  );
}

const badges: readonly [string, readonly [string, Tone][]][] = [
  [
    'Property',
    [
      ['Active', 'ok'],
      ['Pending', 'warn'],
      ['In Escrow', 'mute'],
      ['Sold', 'mute'],
    ],
  ],
  [
    'Payout',
    [
      ['Pending', 'warn'],
      ['Processing', 'info'],
      ['Completed', 'ok'],
      ['Failed', 'bad'],
      ['On hold', 'mute'],
    ],
  ],
  [
    'Seller',
    [
      ['Active', 'ok'],
      ['Suspended', 'bad'],
      ['Pending', 'warn'],
      ['Registered', 'ok'],
      ['Not Registered', 'mute'],
      ['Pending Payout Setup', 'warn'],
    ],
  ],
  [
    'Inquiry',
    [
      ['Pending', 'warn'],
      ['Buyer Reply', 'info'],
      ['Seller Replied', 'ok'],
      ['Agent Replied', 'ok'],
      ['Error', 'bad'],
    ],
  ],
];

export function Badges() {
  return (
    <GallerySection title="Badges">
      {badges.map(([name, labels]) => (
        <LabelledRow key={name} name={name}>
          {labels.map(([label, tone]) => (
            <Badge key={label} tone={tone}>
              {label}
            </Badge>
          ))}
        </LabelledRow>
      ))}
    </GallerySection>
  );
}

export function Ledgers() {
  return (
    <GallerySection title="Ledger">
      <div className="sheet max-w-[384px]">
        <p className="price text-[2.125rem] font-[620] leading-[1.1] tracking-[-0.026em]">$1,273,455</p>
        <p className="bbs">5 bd | 4 ba | 3,960 sqft</p>
        <PriceBreakdown
          rows={[
            { label: 'Base price', amount: '$1,248,000' },
            { label: 'Buyer Protection (1.5%)', amount: '$18,720' },
            { label: 'Title & Escrow (0.5%)', amount: '$6,240' },
            { label: 'Closing Coordination', amount: '$495' },
          ]}
          total={{ label: 'Total price', amount: '$1,273,455' }}
        />
      </div>
    </GallerySection>
  );
}
