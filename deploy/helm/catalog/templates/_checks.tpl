{{/* Fails for settings with which the pods would not start or never become ready. */}}
{{- define "catalog.checks" -}}
{{- range $key, $port := dict "bind" "8080" "management_bind" "9090" }}
{{- if not (regexMatch (printf "^(0[.]0[.]0[.]0|\\[::\\])?:%s$" $port) (toString (get $.Values.settings $key))) }}
{{- fail (printf "settings.%s must be 0.0.0.0:%s or [::]:%s, because the other resources of the chart use this port of the pods; the port of the Service is service.port" $key $port $port) }}
{{- end }}
{{- end }}
{{- if not (or .Values.serviceAccount.create .Values.serviceAccount.name) }}
{{- fail "serviceAccount.create is false: name an existing ServiceAccount in serviceAccount.name" }}
{{- end }}
{{- range $key := keys .Values.podLabels }}
{{- if hasKey (include "catalog.selector" $ | fromYaml) $key }}
{{- fail (printf "remove podLabels[%s]: the chart selects its pods by this label" $key) }}
{{- end }}
{{- end }}
{{- if .Values.allowPublicBind }}
{{- range $key, $value := dict "allow_public_bind" "allowPublicBind" "open_writes" "openWrites" }}
{{- if hasKey $.Values.settings $key }}
{{- fail (printf "remove settings.%s: with allowPublicBind, the chart sets it from %s" $key $value) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
