// Texts that would run, or break out of where they stand, on a page that takes text for anything else.
export const hostileTexts = [
  '<img src=x onerror=globalThis.ran=1>',
  '"><script>globalThis.ran=1</script>',
  `'-globalThis.ran=1-'`,
  '<svg/onload=globalThis.ran=1>',
  'javascript:globalThis.ran=1//',
  '{{constructor.constructor("globalThis.ran=1")()}}',
  '</title><script>globalThis.ran=1</script>',
  '<a href="javascript:globalThis.ran=1">x</a>',
  '&lt;b&gt;&#x3c;script&#x3e;',
  '${globalThis.ran=1}',
  '<style>@import"//evil.example"</style>',
  '__proto__',
] as const

/** Whether one of them has run in the page. */
export const hasRun = `'ran' in globalThis`
