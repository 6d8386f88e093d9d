// The GIF image of one transparent pixel, whole and in parts that can be sent over time.

/** Header, color table and image data, without the byte that ends the file. */
const start = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA=", "base64");
const trailer = Buffer.from(";");
export const pixel = Buffer.concat([start, trailer]);

/** A GIF comment may follow the image data. It has any number of blocks, so the image can take any time to send. */
const commentStart = Buffer.from([0x21, 0xfe]);
const commentEnd = Buffer.from([0x00]);

/** The same image in parts: `start`, any number of `block`, `end`. */
export const slowPixel = {
  start: Buffer.concat([start, commentStart]),
  /** One byte of comment: a space. */
  block: Buffer.from([0x01, 0x20]),
  end: Buffer.concat([commentEnd, trailer]),
} as const;
