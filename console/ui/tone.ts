/** What a state means to whoever looks at it. */
export type Tone = 'good' | 'warn' | 'bad' | 'neutral' | 'accent'
