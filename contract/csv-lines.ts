// CSV as the service and the command line write it, and at which line of its file each record begins: the API names the
// line of a refused row, and the command line finds the row by it.

/** A cell, quoted where it must be. */
const csvCell = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\n`

const formula = /^[=+\-@\t\r]/

/** With `'` before what a spreadsheet would take for a formula. */
export const withoutFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)

// csv-parse says how many lines it has read. That falls short in two ways: it counts a line end of two characters
// within quotes twice, and it says where a record ends.
const lineEnd = /\r\n|\r|\n/g

/** Takes the records in their order, each with the number of lines that the parser has counted up to its end. */
export function csvLineCounter(): (record: readonly string[], counted: number) => number {
  let countedTwice = 0
  return (record, counted) => {
    const ends = record.flatMap((cell) => cell.match(lineEnd) ?? [])
    countedTwice += ends.filter((each) => each.length === 2).length
    return counted - countedTwice - ends.length
  }
}

/** How many lines a record takes that is written with its own line end. */
export const csvLinesOf = (text: string): number => text.match(lineEnd)?.length ?? 1
