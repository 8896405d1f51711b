export function renderLimit(limit: number, format: (value: number) => string = String): string {
  return limit === 0 ? 'unlimited' : format(limit);
}

export function renderLayerCap(max_user_layers: number): string {
  if (max_user_layers === 0) return 'default';
  return max_user_layers < 0 ? 'unlimited' : String(max_user_layers);
}
