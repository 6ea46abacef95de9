"""The parts that cluster-check and cluster-torture share: the files of Examples/cluster, certificates, processes, and clients."""
