/** A phrase that our texts never contain, and what they say instead. docs/wording.md lists the same. */
interface Banned {
  phrase: RegExp;
  instead: string;
  /** texts in which it is right */
  except?: RegExp;
}

/** What plain American English would not say, or says in one way only here. */
export const banned: readonly Banned[] = [
  { phrase: /\be-mail/i, instead: 'email' },
  { phrase: /\bmails\b|\b(this|the|a) mail\b|\bby mail\b/i, instead: 'email', except: /^Mails: / },
  { phrase: /\bany more\b/i, instead: 'no longer' },
  { phrase: /\bat the latest\b/i, instead: 'by, due by' },
  { phrase: /\bneed not\b/i, instead: 'do not need to' },
  { phrase: /\b(some|no|any|every)body\b/i, instead: 'someone, no one, anyone, everyone' },
  { phrase: /\bbegun\b/i, instead: 'started' },
  { phrase: /\bcannot be taken back\b|\btake (this|it) back\b/i, instead: 'cannot be undone, undo' },
  { phrase: /\bgoes back to (you|the buyer)\b/i, instead: 'is refunded to' },
  { phrase: /\bstands? (here|there|at|in|on|under|where|twice)\b/i, instead: 'is', except: /stands in for/ },
  { phrase: /\bphotographs?\b/i, instead: 'photo' },
  { phrase: /\bis not right\b(?! (now|away))/i, instead: 'is incorrect' },
  { phrase: /\bat once\b/i, instead: 'right away' },
  { phrase: /\bby itself\b/i, instead: 'automatically' },
  { phrase: /\b(is|are|be) told\b/i, instead: 'notified' },
  { phrase: /\bhear of\b|\btell me\b/i, instead: 'be notified about' },
  { phrase: /\bdoes not answer\b/i, instead: 'is not responding' },
  { phrase: /\bat the moment\b/i, instead: 'right now', except: /^No properties available at the moment\.$/ },
  { phrase: /\bways? of paying\b/i, instead: 'payment method' },
  { phrase: /\b(sale|purchase) goes on\b|\bto go on\b|\bgo on with\b/i, instead: 'continue' },
  { phrase: /\bwhat (was )?asked for\b/i, instead: 'the amount due' },
  { phrase: /^(Sums|What happened)\b/, instead: 'Price, History' },
  {
    phrase: /\b(colour|centre|favour|grey|cheque|behaviour|licence|neighbour|travell|metre)/i,
    instead: 'the American spelling',
  },
  {
    phrase: /\w(isation|ise[sd]?|ising)\b/i,
    instead: '-ize',
    except:
      /\b(otherwise|exercise|advertise|promise|rise|wise|raise|noise|premise|revise|precise|surprise|enterprise|supervise|compromise)/i,
  },
  { phrase: /^[A-Z].*[a-z]!/, instead: 'a period', except: /^(Oops! Something went wrong|Welcome back!)/ },
];
