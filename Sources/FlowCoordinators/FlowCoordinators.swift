// FlowCoordinators
