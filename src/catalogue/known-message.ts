import type { MessageRow, Sender } from './message-row.js'
import type { StandardRow } from './rows/standard-rows.js'
import type { GivenData, ReadData } from './structure/structure-data.js'

type NameOf<Row extends MessageRow> = `S${Row['stream']}F${Row['function']}`
type RowsOf<From extends Sender> = {
  readonly [Row in StandardRow as Row['direction'] extends From | 'both' ? NameOf<Row> : never]: Row
}

interface Rows {
  readonly host: RowsOf<'host'>
  readonly equipment: RowsOf<'equipment'>
}

/** A message of the standard that this side may send, such as `S1F13`. */
export type MessageFrom<From extends Sender> = keyof Rows[From] & string

/** A message of the standard. */
export type KnownMessage = MessageFrom<'host'> | MessageFrom<'equipment'>

/** The named data that a message is built from. */
export type Given<Name extends MessageFrom<From>, From extends Sender> = GivenData<TextIn<Rows[From][Name]>>

/** The named data that a message is read as. */
export type Content<Name extends MessageFrom<From>, From extends Sender> = ReadData<
  TextIn<Rows[From][Name]> | AlsoIn<Rows[From][Name]>
>

type TextIn<Row> = Row extends { readonly structure: infer Text extends string } ? Text : never
type AlsoIn<Row> = Row extends { readonly alsoRead?: readonly (infer Also extends string)[] } ? Also : never

/** The secondary of a primary: `S1F14` of `S1F13`. */
export type ReplyTo<Name extends string> = Name extends `S${infer Stream}F${infer Fn}`
  ? `S${Stream}F${Next<Fn>}`
  : never

type Next<Fn extends string> = Fn extends `${infer Tens}1`
  ? `${Tens}2`
  : Fn extends `${infer Tens}3`
    ? `${Tens}4`
    : Fn extends `${infer Tens}5`
      ? `${Tens}6`
      : Fn extends `${infer Tens}7`
        ? `${Tens}8`
        : Fn extends `${infer Tens extends keyof NextTens & string}9`
          ? `${NextTens[Tens]}0`
          : never

interface NextTens {
  readonly '': '1'
  readonly '1': '2'
  readonly '2': '3'
  readonly '3': '4'
  readonly '4': '5'
  readonly '5': '6'
  readonly '6': '7'
}

/** The stream and function that a name says. */
export function numbersOf(name: KnownMessage): { readonly stream: number; readonly function: number } {
  const [stream = '', fn = ''] = name.slice(1).split('F')
  return { stream: Number(stream), function: Number(fn) }
}
