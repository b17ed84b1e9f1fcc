import { SmlCommand } from '../../src/cli/sml/sml-command.js'

export default class SmlDecode extends SmlCommand {
  static override summary = 'Print the SML of bytes given as hex, and explain HSMS messages.'
  static override description =
    "Each line is a body, one or more HSMS messages, or an HSMS message without its length; lines that cannot be read one by one are read together. Spaces, colons, commas and 0x are ignored. Hex dumps (xxd, hexdump -C, od -tx1, Wireshark), bytes as C and Python write them ({0x00, 0x0a}, b'\\x00\\x0a') and lines that begin with a date and time are read as well. An HSMS message is recognised by its length: the first four bytes say exactly how many follow. No body begins like that, since its first byte would be 00. Without the length it is recognised by its header, where the session ID begins with 00 or ff, as no body does. The explanation is printed as SML comments, so the output is SML. If a message is cut short or a body cannot be decoded, the rest is still printed, the header of a message that is cut is explained as far as possible, standard error says at which byte it breaks, and the exit code is 2."
  static override examples = [
    'echo 0101b10400000001 | secsctl sml decode',
    'echo 0000000affff00000001 00000001 | secsctl sml decode',
    'secsctl sml decode dump.txt --json',
  ]

  protected override readonly fallback = 'sml'
}
