// At which line of its file each record of a CSV file begins, for the API, which names the line of a refused row, and
// for the command line, which finds the row by it.
//
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
