import { endpoints } from '../../contract/endpoints.js'
import type { Preview } from '../../contract/topics/preview.js'
import type { EquipmentCommand } from '../equipment/equipment-command.js'
import { switchFlag } from '../input/flags.js'
import type { MemberWords } from '../output/member-words.js'

export const PREVIEW = switchFlag('Print the message as SML and hex, and send nothing.')

/** The words of a call, also for a preview, which has its body as this member. */
export const withPreview = (member: '/message' | '/command', words: MemberWords): MemberWords => ({
  ...words,
  ...Object.fromEntries(Object.entries(words).map(([pointer, word]) => [member + pointer, word])),
})

/** Prints the message that would be sent to the equipment with this id. */
export async function printPreview(on: EquipmentCommand, id: string, body: Preview): Promise<void> {
  const { sml, hex } = await on.call(endpoints.previewMessage, { params: { id }, body })
  if (on.format === 'json') on.printJson({ sml, hex })
  else on.print(hex === '' ? sml : `${sml}\n\n${hex}`)
}
