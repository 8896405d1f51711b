import { useEffect, useState } from 'react';

/** Returns the value that was current at the last paint, so that what depends on it delays no paint. */
export function useAfterPaint<Value>(value: Value): Value {
  const [painted, setPainted] = useState(() => value);
  useEffect(() => {
    if (painted === value) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(() => value));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value, painted]);
  return painted;
}
