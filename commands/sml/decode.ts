import { SmlCommand } from '../../src/cli/sml/sml-command.js'

export default class SmlDecode extends SmlCommand {
  static override summary = 'Print the SML of bytes given as hex, and explain HSMS messages.'
  static override description =
    "Each line is a body, one or several HSMS messages, or an HSMS message without its length; lines that are nothing each are read as one. Spaces, colons, commas and 0x make no difference, a hex dump (xxd, hexdump -C, od -tx1, Wireshark) is read as what it shows, and so are bytes as C and Python write them ({0x00, 0x0a}, b'\\x00\\x0a') and lines that begin with a date and time. An HSMS message is told by its length: the first four bytes say exactly how many follow. No body begins so, since its first byte would be 00. Without the length it is told by its header, where the session ID begins with 00 or ff, as no body does. The explanation stands in SML's comments, so that what is printed is SML. Where a message is cut or a body cannot be read, the rest is printed all the same, the header of what is cut is explained as far as it goes, standard error says at which byte it breaks, and the exit code is 2."
  static override examples = [
    'echo 0101b10400000001 | <%= config.bin %> sml decode',
    'echo 0000000affff00000001 00000001 | <%= config.bin %> sml decode',
    '<%= config.bin %> sml decode dump.txt --json',
  ]

  protected override readonly fallback = 'sml'
}
