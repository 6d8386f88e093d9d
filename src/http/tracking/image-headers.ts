// The headers of tracking images. No proxy or mail client may cache them, or opens would go unnoticed.

export const imageHeaders = {
  "content-type": "image/gif",
  "cache-control": "no-store, no-cache, must-revalidate, private",
  pragma: "no-cache",
  expires: "0",
  "x-content-type-options": "nosniff",
} as const;
