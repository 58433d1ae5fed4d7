// All texts of the parts that pages are made of, in one place for a translation.

export const texts = {
  emptyValue: 'empty',
  workspaceSettings: (title: string) => `${title} · Workspace settings`,
  documentation: 'Documentation',
  changedFrom: 'from',
  changedTo: 'to',
  typeToConfirm: (typed: string) => `Type “${typed}” to confirm`,
  theBrowserBlockedCopyingThe: (what: string) =>
    `The browser blocked copying the ${what}. Select the text and copy it manually.`,
  copiedToClipboard: 'Copied to clipboard',
  copy: (what: string) => `Copy ${what}`,
  copied: 'Copied',
  youDoNotHaveAccess: 'You do not have access',
  ofResults: (count: string, of: string) => `${count} of ${of} results`,
  firstResults: (count: string) => `First ${count} results`,
  oneResult: '1 result',
  results: (count: string) => `${count} results`,
  noResults: 'No results',
  noItemsMatchTheFilters: 'No items match the filters. Change or clear the filters.',
  clearFilters: 'Clear filters',
  notShownForLackOfSpace: (heads: string) => `Not shown for lack of space: ${heads}.`,
  showMore: 'Show more',
  cancel: 'Cancel',
  requestId: (requestId: string) => (
    <>
      Request ID <code>{requestId}</code>
    </>
  ),
  requestIdCopied: 'request ID',
  errorCode: (code: string) => (
    <>
      Code <code>{code}</code>
    </>
  ),
  tryAgain: 'Try again',
  filters: 'Filters',
  clear: 'Clear',
  removeTheFilter: (filter: string) => `Remove the filter ${filter}`,
  ofObject: (name: string, type: string, id: string) => `${name}: ${type === '' ? '' : `${type} `}${id}…`,
  thisFieldIsRequired: 'This field is required.',
  enterAtLeastCharacters: (minLength: number) => `Enter at least ${minLength} characters.`,
  enterAtMostCharactersCurrently: (maxLength: number, textCount: number) =>
    `Enter at most ${maxLength} characters (currently ${textCount}).`,
  enterAValidEmailAddress: 'Enter a valid email address.',
  thisValueHasTheWrong: 'This value has the wrong format.',
  enterAWholeNumber: 'Enter a whole number.',
  enterOrMore: (minimum: number) => `Enter ${minimum} or more.`,
  enterOrLess: (maximum: number) => `Enter ${maximum} or less.`,
  chooseAtLeastOne: 'Choose at least one.',
  chooseAtLeast: (minItems: number) => `Choose at least ${minItems}.`,
  chooseAtMostCurrently: (maxItems: number, valueCount: number) =>
    `Choose at most ${maxItems} (currently ${valueCount}).`,
  thisValueIsAlreadyIn: 'This value is already in use.',
  optional: 'optional',
  example: 'Example:',
  justNow: 'just now',
  never: 'Never',
  select: (row: string) => `Select ${row}`,
  selectAll: 'Select all',
  close: 'Close',
}
