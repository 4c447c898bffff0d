import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { MoneyInput } from '#ui/money-input.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { Radio } from '#ui/radio.tsx';
import { SearchField } from '#ui/search-field.tsx';
import { SegmentedControl } from '#ui/segmented-control.tsx';
import { Select } from '#ui/select.tsx';
import { Switch } from '#ui/switch.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { GallerySection, LabelledRow } from './gallery-section.tsx';
import { gallery } from './samples.ts';

export function Buttons() {
  const [busy, setBusy] = useState(false);
  return (
    <GallerySection title="Controls">
      <LabelledRow name="Primary">
        <Button>Save Changes</Button>
        <Button className="is-hover">Save Changes</Button>
        <Button className="is-focus">Save Changes</Button>
        <Button busy>Save Changes</Button>
        <Button disabled>Save Changes</Button>
      </LabelledRow>
      <LabelledRow name="Others">
        <Button variant="outline">Cancel</Button>
        <Button variant="outline" className="is-hover">
          Cancel
        </Button>
        <Button variant="soft">Edit Content</Button>
        <Button variant="ghost">Back to Home</Button>
        <Button variant="danger">Suspend Agent</Button>
        <Button variant="link">Forgot password?</Button>
      </LabelledRow>
      <LabelledRow name="Sizes">
        <Button size="sm" icon={Plus}>
          Add
        </Button>
        <Button icon={Plus}>Add New Property</Button>
        <Button size="lg" icon={Plus} busy={busy} onClick={() => setBusy(true)}>
          Submit Property Listing
        </Button>
        <Button size="lg" variant="outline" busy>
          Pay with Crypto
        </Button>
        <button type="button" className="tbtn">
          Details
        </button>
        <button type="button" className="tbtn tbtn-bad">
          Delete
        </button>
      </LabelledRow>
      <LabelledRow name="Filter">
        <div className="chips max-w-full overflow-x-auto">
          <button type="button" className="chip" aria-pressed="true">
            All Properties
          </button>
          {gallery.types.map((type) => (
            <button key={type.slug} type="button" className="chip" aria-pressed="false">
              {type.name}
            </button>
          ))}
        </div>
      </LabelledRow>
      <LabelledRow name="Segments">
        <SegmentedControl
          label="Grouping"
          defaultValue="daily"
          options={[
            { value: 'daily', label: 'Daily' },
            { value: 'weekly', label: 'Weekly' },
            { value: 'monthly', label: 'Monthly' },
          ]}
        />
      </LabelledRow>
    </GallerySection>
  );
}

export function Fields() {
  const [featured, setFeatured] = useState(true);
  const typeOptions = gallery.types.map((type) => ({ value: type.slug, label: type.name }));
  return (
    <GallerySection title="Fields">
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        <TextInput label="Address" placeholder="48 Larkspur Lane" />
        <TextInput label="Address" defaultValue="48 Larkspur Lane" className="is-focus" />
        <TextInput label="Address" defaultValue="48" error="Address must be at least 5 characters." />
        <TextInput label="Name" defaultValue="Maren Holloway" readOnly hint="Set by the administrator." />
        <PasswordInput label="New password" defaultValue="strong-pass" strength="strong" autoComplete="off" />
        <PasswordInput label="New password" defaultValue="pass" strength="weak" autoComplete="off" />
        <PasswordInput label="New password" defaultValue="longer-pass" strength="medium" autoComplete="off" />
        <PasswordInput label="Confirm password" strength={null} autoComplete="off" />
        <MoneyInput label="Price" defaultValue={615000} name="price" />
        <Select label="Property Type" options={typeOptions} defaultValue="single-family" />
        <Select
          label="Property Type"
          options={typeOptions}
          placeholder="Select a type"
          error="Property type is required."
        />
        <TextInput label="Email" type="email" optional disabled defaultValue="locked@acre.example" />
        <TextArea
          label="Subtitle"
          defaultValue="Good ground."
          maxLength={160}
          counted
          hint="Under the title."
        />
        <TextArea label="Title" defaultValue={'x'.repeat(55)} maxLength={60} counted />
        <div className="f">
          <span className="flabel">Search</span>
          <SearchField label="Search properties" placeholder="Search properties..." />
        </div>
        <div className="f">
          <span className="flabel">Select, switch</span>
          <div className="flex flex-wrap items-center gap-5">
            <Checkbox aria-label="Off" />
            <Checkbox aria-label="On" defaultChecked />
            <Checkbox aria-label="Some" indeterminate />
            <Checkbox aria-label="Locked" disabled defaultChecked />
            <Switch aria-label="Off" />
            <Switch aria-label="Featured" checked={featured} onChange={() => setFeatured(!featured)} />
            <Switch aria-label="Locked" disabled />
          </div>
        </div>
        <div className="grid content-start gap-3">
          <Checkbox label="Remember me" hint="For thirty days on this device." />
          <Radio name="method" label="Stripe Connect" defaultChecked />
          <Radio name="method" label="PayPal" />
          <Switch label="Test mode" />
        </div>
      </div>
    </GallerySection>
  );
}
