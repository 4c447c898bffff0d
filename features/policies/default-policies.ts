import type { PolicyKind } from './model.ts';

/** What holds until an administrator publishes a text of their own. */
export const defaultPolicies: Record<PolicyKind, string> = {
  terms: `These terms apply between you and {marketplace} whenever you use this marketplace.

## What we do

{marketplace} lets sellers publish property listings, lets buyers find them and ask about them, and takes payments for purchases on behalf of both sides. The contract of sale is between the buyer and the seller alone.

## Your account

- You are at least 18 years old and give your own name and email address.
- You keep your password to yourself. Tell us right away when someone else knows it.
- You may close your account at any time.

## Listings

Sellers describe their properties truthfully and only list what they may sell. We review listings before they are published, and may ask for changes, reject them or take them down.

## Payments

The price that a buyer sees includes every buyer fee. A payment is held until the buyer confirms the closing, or the time for that has passed. Then the seller is paid, less the commission and the seller's fees. A purchase that does not come about is refunded.

## Conversations

Messages between buyers and sellers are for the two of them. Our administrators see how a conversation begins and can open it, for example after a report of abuse. They cannot write in it. Each time one of them opens a conversation is recorded. Files in a conversation they can open only after it was reported, and that is recorded too.

## What is not allowed

- False or misleading listings, offers or messages.
- Payments past the marketplace for a property that was found here.
- Harassment, discrimination, or anything that the law forbids.

We may suspend an account that breaks these terms.

## Questions

Write to {support}.`,
  privacy: `This policy says what {marketplace} knows about you, what for, and for how long.

## What we keep

- **Your account:** name, email address, and a hash of your password.
- **What you do here:** listings, saved searches, properties you watch and have viewed, messages, purchases and payouts.
- **Technical records:** the address your requests come from, kept with the log of changes to detect abuse.

Card numbers and bank details are typed on the pages of our payment providers. We never see them.

## What for

To run your account and your sales, to send you the news that you asked for, to prevent fraud, and to keep the books that the law requires.

## Who sees it

Buyers and sellers of the same sale or conversation see each other's names and messages. Our administrators can read conversations, and each time is recorded. Payment providers get what a payment needs. We sell no data and show no ads.

## Cookies

We set cookies that keep you signed in and remember how you like the pages to look. There are no others.

## How long

Until you close your account. Records of sales, and of changes that explain them, are kept as long as the law requires.

## Your rights

You can download your data and close your account under Account. For everything else write to {support}.`,
};
